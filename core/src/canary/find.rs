//! The sentinel in a whole reply, so that an agent may answer in a sentence.

use alloc::vec::Vec;

/// So many tokens of one reply are tried.
pub const MOST_CANDIDATES: usize = 16;

/// The words of a reply that look like a sentinel of so many bytes: runs of base64url of just its length, each once, at most
/// [`MOST_CANDIDATES`]. No sentinel has less than 16 bytes or more than 32. Linear in the reply.
///
/// ```
/// let reply = "The code is **mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw**.";
/// assert_eq!(counterfoil::canary::find_sentinel(reply, 32), ["mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw"]);
/// ```
pub fn find_sentinel(reply: &str, bytes: usize) -> Vec<&str> {
    if !(16..=32).contains(&bytes) {
        return Vec::new();
    }
    let length = (bytes * 8).div_ceil(6);
    let mut found: Vec<&str> = Vec::new();
    for word in reply.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))) {
        // An underscore or two may be emphasis around the value.
        for word in [word, word.trim_matches('_'), word.trim_matches(['-', '_'])] {
            if word.len() == length && !found.contains(&word) && found.len() < MOST_CANDIDATES {
                found.push(word);
            }
        }
    }
    found
}
