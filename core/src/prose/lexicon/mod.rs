//! Words as data, one file a language.
