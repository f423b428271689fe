//! What is asked of a written amount besides its value: other units it may be printed in, its currency, points between its
//! groups of digits.

use super::quantity::Kind;

/// How many times more or less a number is that was printed in another unit, or without one.
pub fn factors(kind: Kind) -> &'static [f64] {
    match kind {
        Kind::Duration => &[1e3, 1e6, 1e9, 60.0, 3600.0, 86_400.0, 6e4, 3.6e6, 8.64e7],
        Kind::Size => &[1e3, 1e6, 1e9, 1024.0, 1_048_576.0, 1_073_741_824.0],
        Kind::Share => &[100.0],
        // Of money see `Figures::money`.
        Kind::Price | Kind::Version | Kind::Date | Kind::Plain => &[],
    }
}

/// The number of a quantity without its unit.
pub fn digits(written: &str) -> &str {
    let start = written.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let rest = written.get(start..).unwrap_or("");
    let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '\''))).unwrap_or(rest.len());
    rest.get(..end).unwrap_or("")
}

/// Whether a number may have points between its groups of digits, as many languages write thousands: `1.000`, `12.500`.
pub fn pointed(written: &str) -> bool {
    let mut groups = digits(written).split('.');
    let first = groups.next().unwrap_or("");
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let lead = (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0');
    let mut more = 0;
    let rest = groups.all(|group| {
        more += 1;
        group.len() == 3 && digits(group)
    });
    lead && rest && more > 0
}

/// Signs and names of currencies that cannot be one another, by one letter each.
const CURRENCIES: &[(char, &[&str])] = &[
    ('$', &["$", "aud", "cad", "dollar", "dollars", "usd"]),
    ('€', &["eur", "euro", "euros", "€"]),
    ('£', &["gbp", "pounds", "£"]),
    ('f', &["chf", "francs"]),
    ('z', &["pln", "zł", "złoty"]),
    ('¥', &["jpy", "yen", "¥"]),
];

/// Whether a text names this currency.
fn names(text: &str, list: &[&str]) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| list.iter().any(|name| name.chars().count() > 1 && word.eq_ignore_ascii_case(name)))
        || list.iter().any(|name| name.chars().count() == 1 && text.contains(name))
}

/// The currencies that a text names.
fn currencies(text: &str) -> impl Iterator<Item = char> + '_ {
    CURRENCIES.iter().filter(|(_, list)| names(text, list)).map(|(sign, _)| *sign)
}

/// Whether an amount is of a currency that a text does not name, which names another.
pub fn other_currency(amount: &str, text: &str) -> bool {
    let Some(own) = currencies(amount).next() else { return false };
    let (mut named, mut any) = (false, false);
    for sign in currencies(text) {
        named |= sign == own;
        any = true;
    }
    any && !named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_between_thousands() {
        for text in ["1.000", "€12.500", "1.250.000 EUR"] {
            assert!(pointed(text), "{text}");
        }
        for text in ["1.00", "12", "0.125", "1234.500", "1.2.3"] {
            assert!(!pointed(text), "{text}");
        }
    }

    #[test]
    fn currencies_are_told_apart() {
        assert!(other_currency("€38.10", "{\"total\": 41.0, \"currency\": \"USD\"}"));
        assert!(other_currency("38 EUR", "total $41.00"));
        assert!(!other_currency("€38.10", "41.00"));
        assert!(!other_currency("$38.10", "41.00 USD"));
        assert!(!other_currency("€38.10", "€41.00 ($44.00)"));
        assert!(!other_currency("38.10", "$41.00"));
    }
}
