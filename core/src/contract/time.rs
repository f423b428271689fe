//! Times of RFC 3339 in UTC, as the host gives them.

/// A moment: seconds since 1970 and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    seconds: i64,
    nanos: u32,
}

impl Moment {
    /// Reads `2026-01-01T00:00:00Z`, with up to nine digits of a fraction. Other offsets are refused, so that equal times are
    /// equal texts but for the fraction.
    pub(crate) fn parse(text: &str) -> Option<Moment> {
        let rest = text.strip_suffix('Z').filter(|rest| rest.is_ascii())?;
        let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
        let bytes = whole.as_bytes();
        let shape = whole.len() == 19
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                10 => *byte == b'T',
                13 | 16 => *byte == b':',
                _ => byte.is_ascii_digit(),
            });
        if !shape {
            return None;
        }
        let part = |from: usize, to: usize| whole.get(from..to).and_then(|digits| digits.parse::<i64>().ok());
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
        if year < 1 || !(1..=12).contains(&month) || !(1..=days_of(year, month)).contains(&day) {
            return None;
        }
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let nanos = match fraction {
            None => 0,
            Some(digits) if (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse::<u32>().ok()? * 10_u32.pow(9 - digits.len() as u32)
            }
            Some(_) => return None,
        };
        Some(Moment { seconds: days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second, nanos })
    }

    /// Whether more than so many seconds lie between the two.
    pub(crate) fn is_after_by(self, earlier: Moment, seconds: i64) -> bool {
        (self.seconds.saturating_sub(seconds), self.nanos) > (earlier.seconds, earlier.nanos)
    }
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let before = (1..month).map(|month| days_of(year, month)).sum::<i64>();
    let past = year - 1;
    past * 365 + past / 4 - past / 100 + past / 400 + before + day - 1 - 719_162
}
