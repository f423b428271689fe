//! What a message of the person is: more than a request, or a wish for a text.

/// A message of so many bytes holds more than a request.
const MATERIAL: usize = 1_500;

/// Words with which a person asks for a text.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "announcement", "blog", "cover letter", "dialog", "diary", "draft", "e-mail", "email", "essay", "fiction", "letter",
    "lyrics", "novel", "paraphrase", "poem", "proofread", "readme", "release notes", "rephrase", "reword", "role-play",
    "roleplay", "speech", "story", "testimonial", "translate", "tweet",
];

/// Whether a message asks for a text to be written.
pub(super) fn wants_text(text: &str) -> bool {
    let lower = text.to_lowercase();
    TEXTS.iter().any(|word| lower.contains(word))
}

/// Whether a message holds more than a request.
pub(super) fn is_material(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    text.len() > MATERIAL || text.contains("```") || lines.take(6).count() == 6
}
