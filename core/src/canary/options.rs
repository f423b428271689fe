//! The settings of a canary and what they allow.

use crate::error::{Error, ErrorKind};
use alloc::format;
use core::ops::RangeInclusive;
use serde::Serialize;
use serde_json::Value;

/// The settings of a canary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Options {
    /// The length of a bucket of time: 300 seconds (30 to 3,600).
    pub bucket_seconds: i64,
    /// How much of the HMAC a sentinel shows: 32 bytes (16 to 32).
    pub sentinel_bytes: usize,
    /// How many buckets a sentinel may be off and still be fresh: 1 (0 to 8).
    pub fresh_tolerance: i64,
    /// How many buckets back a sentinel is known at all: 24 (1 to 512), and more than the tolerance.
    pub stale_horizon: i64,
    /// How long an issuance is remembered: 24 hours (1 to 168), and no shorter than the horizon.
    pub retention_hours: i64,
    /// How many issuances are remembered: 8,192 (256 to 1,048,576).
    pub log_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            bucket_seconds: 300,
            sentinel_bytes: 32,
            fresh_tolerance: 1,
            stale_horizon: 24,
            retention_hours: 24,
            log_size: 8192,
        }
    }
}

impl Options {
    /// Reads an options object. Absent and `null` mean the default; an unknown name or a wrong value is an error.
    pub fn read(value: &Value) -> Result<Options, Error> {
        let mut options = Options::default();
        let map = match value {
            Value::Null => return Ok(options),
            Value::Object(map) => map,
            _ => return Err(Error::new(ErrorKind::Option, "", "expected an object of options")),
        };
        for (name, value) in map.iter().filter(|(_, value)| !value.is_null()) {
            let found = || -> Result<i64, Error> {
                let whole = value
                    .as_i64()
                    .or_else(|| value.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 1e15).map(|f| f as i64));
                whole.ok_or_else(|| {
                    Error::new(ErrorKind::Option, name, format!("expected a whole number; found {value}"))
                })
            };
            match name.as_str() {
                "bucket_seconds" => options.bucket_seconds = found()?,
                "sentinel_bytes" => options.sentinel_bytes = usize::try_from(found()?).unwrap_or(0),
                "fresh_tolerance" => options.fresh_tolerance = found()?,
                "stale_horizon" => options.stale_horizon = found()?,
                "retention_hours" => options.retention_hours = found()?,
                "log_size" => options.log_size = usize::try_from(found()?).unwrap_or(0),
                _ => {
                    let known =
                        "bucket_seconds, sentinel_bytes, fresh_tolerance, stale_horizon, retention_hours, log_size";
                    return Err(Error::new(ErrorKind::Option, name, format!("expected one of {known}")));
                }
            }
        }
        options.check()?;
        Ok(options)
    }

    /// Whether each is in range and none makes another useless.
    ///
    /// # Errors
    /// [`ErrorKind::Option`] with the name of the option.
    pub fn check(&self) -> Result<(), Error> {
        within("bucket_seconds", self.bucket_seconds, 30..=3600)?;
        within("sentinel_bytes", self.sentinel_bytes as i64, 16..=32)?;
        within("fresh_tolerance", self.fresh_tolerance, 0..=8)?;
        within("stale_horizon", self.stale_horizon, 1..=512)?;
        within("retention_hours", self.retention_hours, 1..=168)?;
        within("log_size", self.log_size as i64, 256..=1_048_576)?;
        if self.stale_horizon <= self.fresh_tolerance {
            let message = format!(
                "expected more than fresh_tolerance ({}), since nothing could be stale otherwise; found {}",
                self.fresh_tolerance, self.stale_horizon
            );
            return Err(Error::new(ErrorKind::Option, "stale_horizon", message));
        }
        let needed = self.needed();
        if self.retention() < needed {
            let message = format!(
                "expected at least {} hours, (stale_horizon + 1) × bucket_seconds, since an honest old read would look like a \
                 replay otherwise; found {}",
                (needed + 3599) / 3600,
                self.retention_hours
            );
            return Err(Error::new(ErrorKind::Option, "retention_hours", message));
        }
        Ok(())
    }

    /// The bucket that a time falls in; floor also below zero.
    pub(super) fn bucket(&self, now: i64) -> i64 {
        now.div_euclid(self.bucket_seconds.max(1))
    }

    /// When a bucket starts.
    pub(super) fn start(&self, bucket: i64) -> i64 {
        bucket.saturating_mul(self.bucket_seconds)
    }

    /// The buckets whose sentinels are known in the current one.
    pub(super) fn window(&self, current: i64) -> RangeInclusive<i64> {
        current.saturating_sub(self.stale_horizon)..=current.saturating_add(self.fresh_tolerance)
    }

    /// How long after the start of its bucket a sentinel can be verified, in seconds.
    pub(super) fn needed(&self) -> i64 {
        (self.stale_horizon + 1) * self.bucket_seconds
    }

    /// How long an issuance is remembered, in seconds.
    pub(super) fn retention(&self) -> i64 {
        self.retention_hours * 3600
    }
}

fn within(name: &str, value: i64, range: RangeInclusive<i64>) -> Result<(), Error> {
    if range.contains(&value) {
        return Ok(());
    }
    let message = format!("expected a whole number from {} to {}; found {value}", range.start(), range.end());
    Err(Error::new(ErrorKind::Option, name, message))
}
