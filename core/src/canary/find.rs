//! The sentinel in a whole reply, so that an agent may answer in a sentence.

use alloc::vec::Vec;

/// So many tokens of one reply are tried.
pub const MOST_CANDIDATES: usize = 16;

/// So many marks may stand around a value.
const AROUND: usize = 6;

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
        // Underscores may be emphasis around the value, and hyphens a dash; both may be its own, too.
        let more = word.len().checked_sub(length).filter(|more| *more <= AROUND);
        for start in more.map_or(0..0, |more| 0..more + 1) {
            let (Some(before), Some(value)) = (word.get(..start), word.get(start..start + length)) else { continue };
            let around = [before, word.get(start + length..).unwrap_or("")];
            let marks = around.iter().all(|part| part.bytes().all(|b| matches!(b, b'_' | b'-')));
            if marks && !found.contains(&value) && found.len() < MOST_CANDIDATES {
                found.push(value);
            }
        }
    }
    found
}
