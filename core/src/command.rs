//! Stand-in for the command line; the real file replaces it.

use crate::error::Error;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What the arguments ask for.
#[derive(Clone, Debug)]
pub enum Invocation {
    /// Check files.
    Check {
        /// The files; `-` is standard input.
        files: Vec<String>,
        /// The settings file.
        config: Option<String>,
        /// Whether to colour; the host decides where the arguments say nothing.
        color: Option<bool>,
    },
    /// Print a text.
    Print {
        /// The text.
        text: String,
    },
    /// Wrong usage.
    Fail {
        /// What is wrong.
        message: String,
        /// The exit status.
        exit: i32,
    },
}

/// Reads the arguments.
pub fn parse(args: &[String]) -> Invocation {
    match args.first().map(String::as_str) {
        Some("check") => Invocation::Check { files: args[1..].to_vec(), config: None, color: None },
        Some("--version") => Invocation::Print { text: "counterfoil 0.1.0\n".into() },
        _ => Invocation::Fail { message: "usage: counterfoil check FILE …\n".into(), exit: 2 },
    }
}

/// What a file printed.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
}

/// What the end printed.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: i32,
}

/// A run over files.
#[derive(Debug)]
pub struct Run {
    files: usize,
}

impl Run {
    /// Starts a run.
    pub fn new(_invocation: Invocation, _config: Option<(&str, &str)>) -> Result<Run, Error> {
        Ok(Run { files: 0 })
    }

    /// Checks one file.
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Output {
        self.files += 1;
        Output { stdout: alloc::format!("{name}: {} bytes\n", bytes.len()), stderr: String::new() }
    }

    /// Ends the run.
    pub fn finish(self) -> Finish {
        Finish { stdout: self.files.to_string() + " files\n", stderr: String::new(), exit: 0 }
    }
}
