//! Whether a number follows from numbers that were printed: sums, differences, shares, rounding, units.
//!
//! The bound is 2,000 numbers. What an output holds beyond them may derive anything, so that the answer is then yes:
//! leniency costs misses, strictness accuses.

use super::{scan, Number};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The most numbers that are combined.
pub const MOST: usize = 2000;

/// The most columns and line shapes whose sums are kept.
const MOST_SUMS: usize = 512;

/// Units that a number may be converted by: shares, bytes, time, minor units of currency.
const FACTORS: [f64; 17] = [
    10.0,
    100.0,
    1000.0,
    1e6,
    1e9,
    1024.0,
    1_048_576.0,
    1_073_741_824.0,
    1e12,
    1_099_511_627_776.0,
    60.0,
    3600.0,
    86400.0,
    24.0,
    7.0,
    60_000.0,
    3_600_000.0,
];

/// The most amounts of money of which neighbours are added up.
const MOST_AMOUNTS: usize = 128;

/// The numbers of one or more outputs, with the sums that their lines and columns give.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    values: Vec<f64>,
    sums: Vec<f64>,
    /// Those with two decimals as written, in their order.
    amounts: Vec<f64>,
    more: bool,
}

impl Figures {
    /// Reads the numbers of an output.
    pub fn of(output: &str) -> Self {
        let mut figures = Figures::default();
        let mut columns: BTreeMap<(u64, u32), (f64, f64, u32)> = BTreeMap::new();
        let (mut line_start, mut line_sum, mut column, mut shape, mut behind) = (0, 0.0, 0u32, 0u64, 0);
        let mut all = 0.0;
        let mut newlines = memchr::memchr_iter(b'\n', output.as_bytes()).peekable();
        for (span, number) in scan(output) {
            while let Some(&end) = newlines.peek() {
                if end >= span.start {
                    break;
                }
                line_start = end + 1;
                newlines.next();
            }
            if line_start > behind || column == 0 {
                figures.sum(line_sum, column > 1);
                (line_sum, column, shape) = (0.0, 0, 0xcbf2_9ce4_8422_2325);
                behind = line_start;
            }
            let value = number.value();
            if figures.values.len() >= MOST {
                figures.more = true;
                break;
            }
            figures.values.push(value);
            if number.decimals == 2 && figures.amounts.len() < MOST_AMOUNTS {
                figures.amounts.push(value);
            }
            all += value;
            line_sum += value;
            shape = hash(shape, output.as_bytes().get(behind..span.start).unwrap_or(&[]));
            behind = span.end;
            for key in [(0, column), (shape, column)] {
                if columns.len() < MOST_SUMS || columns.contains_key(&key) {
                    let (sum, last, count) = columns.entry(key).or_default();
                    *sum += value;
                    *last = value;
                    *count += 1;
                }
            }
            column += 1;
        }
        figures.sum(line_sum, column > 1);
        figures.sum(all, true);
        for (sum, last, count) in columns.into_values() {
            figures.sum(sum, count > 1);
            // The last line may be the total of the others; it may also be one more, and a mean may be meant.
            figures.sum(sum - last, count > 1);
            figures.sum(sum / f64::from(count.max(1)), count > 1);
        }
        figures.values = ordered(figures.values);
        figures
    }

    fn sum(&mut self, sum: f64, of_several: bool) {
        if of_several && self.sums.len() < 4 * MOST_SUMS {
            self.sums.push(sum);
        }
    }

    /// The number is one of those of the outputs, rounded, cut, or so many times more or less.
    pub fn round(&self, n: &Number, factors: &[f64]) -> bool {
        self.more || rounds(n, &self.values, factors)
    }

    /// The number follows from those of the outputs.
    pub fn derive(&self, n: &Number) -> bool {
        self.more || derives(n, &self.values, &self.sums) || self.adds_up(n)
    }

    /// The same for an amount of money, which is printed in whole minor units at most, or for another length of time; ten
    /// times as much is another amount.
    pub fn money(&self, n: &Number) -> bool {
        const TIMES: [f64; 9] = [2.0, 7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 365.0, 3600.0];
        let (want, slack) = (n.value().abs(), n.slack() * 1.02);
        let minor = |v: f64| {
            let exact = |parts: f64| (v.abs() / parts - want).abs() <= 1e-9 * want;
            v.fract() == 0.0 && ((v.abs() / 100.0 - want).abs() <= slack || [1e3, 1e4, 1e6].into_iter().any(exact))
        };
        // With a tax or less a discount that is printed as well.
        let taxed = |p: f64| {
            let of = |rate: f64| has(&self.values, want / rate, slack / rate);
            (0.0..=50.0).contains(&p) && p > 0.0 && (of(1.0 + p / 100.0) || of(1.0 - p / 100.0))
        };
        self.more
            || self.values.iter().any(|&v| minor(v) || taxed(v))
            || follows(n, &self.values, &self.sums, &TIMES)
            || self.adds_up(n)
    }

    /// Amounts that stand one behind the other add up to the number, whatever else is printed between them.
    fn adds_up(&self, n: &Number) -> bool {
        let (want, slack) = (n.value(), n.slack() * 1.02);
        n.decimals > 0
            && (0..self.amounts.len()).any(|first| {
                let mut sum = 0.0;
                self.amounts[first..].iter().any(|amount| {
                    sum += amount;
                    (sum - want).abs() <= slack
                })
            })
    }
}

/// Values in order and each once. They may be thousands, which the standard library's own sort for them does faster
/// than the one for all lists.
fn ordered(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// Mixes the text before a number into the shape of its line; digits and white space make no difference.
fn hash(seed: u64, text: &[u8]) -> u64 {
    let text = text.get(..text.len().min(120)).unwrap_or(&[]);
    let marks = text.iter().filter(|b| !b.is_ascii_whitespace() && !b.is_ascii_digit());
    marks.fold(seed, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// The number follows from these: rounded, converted, as a sum or difference of two, the sum of all, a share or a rate.
pub fn derivable(n: &Number, numbers: &[Number]) -> bool {
    if numbers.len() > MOST {
        return true;
    }
    let values: Vec<f64> = numbers.iter().map(Number::value).collect();
    let all: f64 = values.iter().sum();
    let values = ordered(values);
    let sums = [all, all / numbers.len().max(1) as f64];
    derives(n, &values, if numbers.is_empty() { &[] } else { &sums })
}

/// `values` are in order and each once.
fn derives(n: &Number, values: &[f64], sums: &[f64]) -> bool {
    follows(n, values, sums, &FACTORS)
}

/// The same with other units.
fn follows(n: &Number, values: &[f64], sums: &[f64], factors: &[f64]) -> bool {
    n.variants().iter().any(|wanted| {
        let (want, slack) = (wanted.value(), wanted.slack() * 1.02);
        let near = |value: f64| (value - want).abs() <= slack || truncates(value, want, slack);
        sums.iter().any(|&sum| near(sum))
            || values.iter().any(|&v| near(v) || converts(v, want, slack, wanted, factors))
            || of_two(want, slack, values)
    }) || shares(n, values)
        || product(n, values)
}

/// A price times how many: a number with decimals that is one of the values times another.
fn product(n: &Number, values: &[f64]) -> bool {
    let (want, slack) = (n.value().abs(), n.slack() * 1.02);
    n.decimals > 1
        && !n.percent
        && values.iter().any(|&many| many > 1.0 && many.fract() == 0.0 && has(values, want / many, slack / many))
}

/// The number is one of these, rounded, cut, or so many times more or less.
fn rounds(n: &Number, values: &[f64], factors: &[f64]) -> bool {
    n.variants().iter().any(|wanted| {
        let (want, slack) = (wanted.value(), wanted.slack() * 1.02);
        let near = |value: f64| (value - want).abs() <= slack || truncates(value, want, slack);
        values.iter().any(|&v| near(v) || converts(v, want, slack, wanted, factors))
    })
}

/// Decimals that were cut rather than rounded: 59.38 given as 59.3.
fn truncates(value: f64, want: f64, slack: f64) -> bool {
    want > 0.0 && value >= want && value - want < 2.0 * slack
}

fn converts(value: f64, want: f64, slack: f64, wanted: &Number, factors: &[f64]) -> bool {
    if value == 0.0 || want == 0.0 {
        return false;
    }
    factors.iter().any(|factor| {
        let (up, down) = (value * factor, value / factor);
        (up - want).abs() <= slack.min(want.abs() * 0.05) || {
            // Whole numbers below ten fit too many conversions by rounding alone.
            let slack = if wanted.decimals == 0 && want < 10.0 { slack / 10.0 } else { slack };
            (down - want).abs() <= slack || truncates(down, want, slack)
        }
    })
}

/// Sums and differences of two.
fn of_two(want: f64, slack: f64, values: &[f64]) -> bool {
    values.iter().any(|&v| {
        has(values, want - v, slack) || has(values, v - want, slack) || (want >= 0.0 && has(values, v + want, slack))
    })
}

/// A share `a / b` or `a / (a + b)`, a change `(b - a) / a`, or a ratio given with decimals.
fn shares(n: &Number, values: &[f64]) -> bool {
    if !n.percent && n.decimals == 0 {
        return false;
    }
    let scale = if n.percent { 100.0 } else { 1.0 };
    let (want, slack) = (n.value().abs() / scale, n.slack() * 1.02 / scale);
    values.iter().filter(|b| **b > 0.0).any(|&b| {
        let mut ratios = alloc::vec![want, 1.0 - want, 1.0 + want];
        if want > 1.0 {
            ratios.push(1.0 / want);
        }
        if want < 1.0 {
            // a / (a + b) = want, so a = b * want / (1 - want).
            ratios.push(want / (1.0 - want));
        }
        ratios.iter().any(|ratio| *ratio >= 0.0 && has(values, b * ratio, (b * slack * (1.0 + ratio)).max(1e-9)))
    })
}

/// One of the values is as near as that.
fn has(values: &[f64], want: f64, slack: f64) -> bool {
    let slack = slack.min(want.abs() * 0.5 + 1e-9).max(want.abs() * 1e-12);
    let at = values.partition_point(|v| *v < want - slack);
    values.get(at).is_some_and(|v| *v <= want + slack)
}

/// One of the numbers is within a tenth, for claims that say “about”.
pub fn roughly(n: &Number, numbers: &[Number]) -> bool {
    let want = n.value();
    numbers.iter().any(|number| (number.value() - want).abs() <= want.abs() * 0.1)
}
