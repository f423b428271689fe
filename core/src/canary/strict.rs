//! JSON in which no key stands twice: of two values nobody could tell which one counts.

use crate::error::{Error, ErrorKind};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a text; its errors have this code. A key that stands twice is an error at its place.
pub(super) fn read(text: &str, code: &'static str) -> Result<Value, Error> {
    let twice = RefCell::new(None);
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Strict { path: Path::Whole, twice: &twice }.deserialize(&mut json);
    read.and_then(|value| json.end().map(|()| value)).map_err(|error| match twice.take() {
        Some(path) => Error::new(ErrorKind::Shape, path, "the key stands twice").coded(code),
        None => Error::new(ErrorKind::Json, "", error).coded(code),
    })
}

/// Finds the first key of an object that is none of the known ones.
pub(super) fn unknown<'v>(value: &'v Value, known: &[&str]) -> Option<&'v str> {
    let keys = value.as_object().into_iter().flat_map(Map::keys);
    keys.map(String::as_str).find(|key| !known.contains(key))
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum Path<'p> {
    Whole,
    Key(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Whole => Ok(()),
            Path::Key(Path::Whole, key) => f.write_str(key),
            Path::Key(outer, key) => write!(f, "{outer}.{key}"),
            Path::Item(outer, at) => write!(f, "{outer}[{at}]"),
        }
    }
}

struct Strict<'p> {
    path: Path<'p>,
    /// The place of the key that stands twice.
    twice: &'p RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) =
            items.next_element_seed(Strict { path: Path::Item(&self.path, list.len()), twice: self.twice })?
        {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let path = Path::Key(&self.path, &key);
            if map.contains_key(&key) {
                self.twice.replace(Some(path.to_string()));
                return Err(A::Error::custom("the key stands twice"));
            }
            let value = fields.next_value_seed(Strict { path, twice: self.twice })?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
