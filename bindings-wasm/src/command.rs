//! The command line without its file system, for the package's program.

use crate::{or_raise, Result};
use counterfoil::canary::command as canary;
use counterfoil::command::{self, Invocation as Asked, Terminal};
use wasm_bindgen::prelude::*;

/// What the words of a command line ask for.
#[wasm_bindgen]
pub struct Invocation(Asked);

#[wasm_bindgen]
impl Invocation {
    /// Reads the words.
    pub fn parse(args: Vec<String>) -> Invocation {
        Invocation(command::parse(&args))
    }

    /// The files to check, `-` for standard input; none when there is only something to print.
    pub fn files(&self) -> Option<Vec<String>> {
        match &self.0 {
            Asked::Check(check) => Some(check.files.clone()),
            _ => None,
        }
    }

    /// The settings file that the command line names.
    pub fn config(&self) -> Option<String> {
        match &self.0 {
            Asked::Check(check) => check.config.clone(),
            _ => None,
        }
    }

    /// What to print at once.
    pub fn answer(&self) -> Option<Output> {
        match &self.0 {
            Asked::Check(_) => None,
            Asked::Print(text) => Some(Output { stdout: text.clone(), stderr: String::new(), exit: 0 }),
            Asked::Fail { message, exit } => {
                Some(Output { stdout: String::new(), stderr: message.clone(), exit: *exit })
            }
        }
    }

    /// The run over its files. `name` and `settings` are the settings file's name and text; `color` and `width` are the
    /// terminal's.
    pub fn run(self, name: &str, settings: Option<String>, color: bool, width: usize) -> Result<Run> {
        let Asked::Check(mut check) = self.0 else { return Err("the command line asks for no check".into()) };
        if let Some(text) = settings {
            or_raise(check.configure(&text, name))?;
        }
        Ok(Run(command::Run::new(check, Terminal { color, width })))
    }
}

/// What to write, and the exit status once there is one.
#[wasm_bindgen(getter_with_clone)]
pub struct Output {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

impl From<canary::Answer> for Output {
    fn from(answer: canary::Answer) -> Self {
        Output { stdout: answer.stdout, stderr: answer.stderr, exit: answer.exit }
    }
}

/// What the words behind `canary` ask for, as JSON text.
#[wasm_bindgen]
pub fn canary_asked(words: Vec<String>, random: &[u8]) -> String {
    canary::asked_json(&words, random)
}

/// Compares the text of a file of vectors.
#[wasm_bindgen]
pub fn canary_vectors(file: &str, text: &str) -> Output {
    canary::vectors_of(file, text).into()
}

/// What is said of something that cannot be done.
#[wasm_bindgen]
pub fn canary_failure(message: &str) -> Output {
    canary::failure(message).into()
}

/// What is said once the documents are served.
#[wasm_bindgen]
pub fn canary_started(host: &str, port: u16, base: &str) -> String {
    canary::started(host, port, base)
}

impl From<command::Output> for Output {
    fn from(output: command::Output) -> Self {
        Output { stdout: output.stdout, stderr: output.stderr, exit: 0 }
    }
}

/// A check of several files, one after the other.
#[wasm_bindgen]
pub struct Run(command::Run);

#[wasm_bindgen]
impl Run {
    /// Checks one file's bytes.
    pub fn file(&mut self, name: &str, data: &[u8]) -> Output {
        self.0.file(name, data).into()
    }

    /// Notes a file that could not be opened, and why.
    pub fn unreadable(&mut self, name: &str, message: &str) -> Output {
        self.0.unreadable(name, message).into()
    }

    /// Ends the run.
    pub fn finish(&mut self) -> Output {
        let end = self.0.finish();
        Output { stdout: end.stdout, stderr: end.stderr, exit: end.exit }
    }
}
