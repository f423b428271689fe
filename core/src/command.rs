//! Stand-in for the command line; the real file replaces it.

use crate::error::Error;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What the arguments ask for.
#[derive(Clone, Debug)]
pub enum Invocation {
    /// Check files.
    Check(Check),
    /// Print a text.
    Print(String),
    /// Wrong usage.
    Fail {
        /// What is wrong.
        message: String,
        /// The exit status.
        exit: u8,
    },
}

/// A check.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The files; `-` is standard input.
    pub files: Vec<String>,
    /// The settings file.
    pub config: Option<String>,
}

impl Check {
    /// Takes settings.
    pub fn configure(&mut self, _text: &str, _file: &str) -> Result<(), Error> {
        Ok(())
    }
}

/// Reads the arguments.
pub fn parse(args: &[String]) -> Invocation {
    match args.first().map(String::as_str) {
        Some("check") => Invocation::Check(Check { files: args[1..].to_vec(), config: None }),
        Some("--version") => Invocation::Print("counterfoil 0.1.0\n".into()),
        _ => Invocation::Fail { message: "usage: counterfoil check FILE …\n".into(), exit: 2 },
    }
}

/// What the program writes to.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// It shows colours.
    pub color: bool,
    /// Its columns.
    pub width: usize,
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
pub struct Finished {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

/// A run over files.
#[derive(Debug)]
pub struct Run {
    files: usize,
}

impl Run {
    /// Starts a run.
    pub fn new(_check: Check, _terminal: Terminal) -> Run {
        Run { files: 0 }
    }

    /// Checks one file.
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Output {
        self.files += 1;
        Output { stdout: alloc::format!("{name}: {} bytes\n", bytes.len()), stderr: String::new() }
    }

    /// Notes a file that could not be opened.
    pub fn unreadable(&mut self, name: &str, message: &str) -> Output {
        Output { stdout: String::new(), stderr: alloc::format!("{name}: {message}\n") }
    }

    /// Ends the run.
    pub fn finish(self) -> Finished {
        Finished { stdout: self.files.to_string() + " files\n", stderr: String::new(), exit: 0 }
    }
}
