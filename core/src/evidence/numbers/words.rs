//! Numbers in words: `twelve`, `twenty-one`, `three hundred`, `two dozen`.

/// Words up to ninety.
const WORDS: [(&str, u64); 29] = [
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fourty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
];

/// The number that a few words make, or `None` when one of them is no number word.
pub(super) fn read(text: &str) -> Option<u64> {
    let (mut sum, mut part, mut any) = (0u64, 0u64, false);
    let mut parts = text.split([' ', '-', '\u{2010}', '\u{2011}']).filter(|word| !word.is_empty()).take(9);
    for word in &mut parts {
        let same = |name: &str| word.eq_ignore_ascii_case(name);
        let times = match () {
            () if same("hundred") => 100,
            () if same("dozen") => 12,
            () if same("thousand") => 1000,
            () if same("million") => 1_000_000,
            () => 0,
        };
        if times > 0 {
            part = part.max(1).saturating_mul(times);
            if times >= 1000 {
                sum = sum.saturating_add(part);
                part = 0;
            }
            any = true;
        } else if let Some((_, n)) = WORDS.iter().find(|(name, _)| same(name)) {
            // `two three` is no number; `twenty three` and `hundred three` are.
            if any && part > 0 && (part % 10 != 0 || *n >= part || *n >= 10 && part % 100 != 0) {
                return None;
            }
            part = part.saturating_add(*n);
            any = true;
        } else if !(same("and") && any || same("a") && !any) {
            return None;
        }
    }
    (any && parts.next().is_none()).then(|| sum.saturating_add(part))
}
