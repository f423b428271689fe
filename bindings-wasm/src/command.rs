//! The command line without its file system, for the package's program.

use crate::{or_raise, Result};
use counterfoil::canary::command as canary;
use counterfoil::command::{self, Invocation as Asked, Look, Terminal};
use counterfoil::contract::command as contract;
use counterfoil::eval;
use js_sys::Function;
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

    /// Where an audit event for each checked turn is appended.
    pub fn audit(&self) -> Option<String> {
        match &self.0 {
            Asked::Check(check) => check.audit.clone(),
            _ => None,
        }
    }

    /// Whether no progress is to be shown.
    pub fn quiet(&self) -> bool {
        matches!(&self.0, Asked::Check(check) if check.quiet)
    }

    /// The file to convert.
    pub fn converts(&self) -> Option<String> {
        match &self.0 {
            Asked::Convert(convert) => Some(convert.file.clone()),
            _ => None,
        }
    }

    /// The file's bytes converted, or the reason why it has none.
    pub fn convert(&self, data: Option<Vec<u8>>, reason: &str) -> Option<Output> {
        let Asked::Convert(convert) = &self.0 else { return None };
        let end = match data {
            Some(data) => convert.convert(&data),
            None => convert.unreadable(reason),
        };
        Some(Output { stdout: end.stdout, stderr: end.stderr, exit: end.exit })
    }

    /// What to print at once.
    pub fn answer(&self) -> Option<Output> {
        match &self.0 {
            Asked::Check(_) | Asked::Convert(_) => None,
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

/// What to do next for the words behind `contract`, as JSON text; `given` is what came of the steps before.
#[wasm_bindgen]
pub fn contract_step(words: Vec<String>, given: &str) -> String {
    contract::step(&words, given)
}

impl From<command::Output> for Output {
    fn from(output: command::Output) -> Self {
        Output { stdout: output.stdout, stderr: output.stderr, exit: 0 }
    }
}

/// What the words behind `eval` ask for, as JSON text.
#[wasm_bindgen(js_name = evalAsked)]
pub fn eval_asked(words: Vec<String>) -> String {
    eval::asked_json(&words)
}

/// What is said of an evaluation that cannot be made.
#[wasm_bindgen(js_name = evalFailure)]
pub fn eval_failure(message: &str) -> Output {
    eval::failure(message).into()
}

impl From<eval::Answer> for Output {
    fn from(answer: eval::Answer) -> Self {
        Output { stdout: answer.stdout, stderr: answer.stderr, exit: answer.exit }
    }
}

/// A run of readers and a model over files of cases.
#[wasm_bindgen]
pub struct Eval(eval::Eval);

#[wasm_bindgen]
impl Eval {
    /// A run as these words ask for it.
    #[wasm_bindgen(constructor)]
    pub fn new(words: Vec<String>) -> Result<Eval> {
        eval::Eval::of_words(&words).map(Eval).ok_or_else(|| "the words ask for no run".into())
    }

    /// Takes the cases of a file.
    pub fn add(&mut self, name: &str, text: &str) -> Result<()> {
        or_raise(self.0.add(name, text))
    }

    /// The next step: a request as JSON text, an empty text where only the time is wanted, undefined when all is done.
    #[allow(clippy::should_implement_trait)] // JavaScript knows it by this name.
    pub fn next(&mut self) -> Option<String> {
        self.0.next_json()
    }

    /// Takes how long the step took and what came of a request.
    pub fn took(&mut self, seconds: f64, given: Option<String>) -> Result<()> {
        or_raise(self.0.took_json(seconds, given.as_deref()))
    }

    /// How far it is, as a line for a terminal; an empty text where no line is worth it.
    pub fn progress(&self) -> String {
        self.0.progress()
    }

    /// The audit events since they were last taken.
    pub fn events(&mut self) -> String {
        self.0.events()
    }

    /// The result; `old` is the JSON of an older run.
    pub fn finish(&self, old: Option<String>) -> Output {
        self.0.finish(old.as_deref()).into()
    }
}

/// What tells a folder from others, and the names in it, each with whether it is a folder.
type Folder = (String, Vec<(String, Option<bool>)>);

/// A check of several files, one after the other.
#[wasm_bindgen]
pub struct Run(command::Run);

#[wasm_bindgen]
impl Run {
    /// Checks one file's bytes.
    pub fn file(&mut self, name: &str, data: &[u8]) -> Output {
        self.0.file(name, data).into()
    }

    /// The files that the words name, as a list of paths each with the reason why it cannot be read, where that is known.
    /// `look` tells what stands at a path: undefined for nothing, null for a file, and for a folder a list of what tells it
    /// from others and the names in it, each with whether it is a folder, or null for what is neither that nor a file.
    pub fn expand(&mut self, look: &Function) -> Result<JsValue> {
        let mut thrown = None;
        let named = self.0.expand(&[], &mut |path| {
            let seen = look.call1(&JsValue::UNDEFINED, &path.into()).and_then(|seen| {
                if seen.is_undefined() {
                    return Ok(Look::Missing);
                }
                let folder: Option<Folder> = serde_wasm_bindgen::from_value(seen)?;
                Ok(folder.map_or(Look::File, |(id, names)| Look::Folder { id, names }))
            });
            seen.unwrap_or_else(|failure| {
                thrown.get_or_insert(failure);
                Look::Missing
            })
        });
        if let Some(failure) = thrown {
            return Err(failure);
        }
        let named: Vec<(String, Option<String>)> = named.into_iter().map(|named| (named.path, named.reason)).collect();
        Ok(serde_wasm_bindgen::to_value(&named)?)
    }

    /// How far it is, as a line for a terminal; an empty text where no line is worth it.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn progress(&self, read: f64, size: f64) -> String {
        self.0.progress(read as u64, size as u64)
    }

    /// Begins a file that comes in pieces.
    pub fn begin(&mut self, name: &str) {
        self.0.begin(name);
    }

    /// Takes a piece of the file that was begun.
    pub fn piece(&mut self, data: &[u8]) -> Output {
        self.0.piece(data).into()
    }

    /// Whether it has failed, so that the rest of it need not be read.
    pub fn has_failed(&self) -> bool {
        self.0.has_failed()
    }

    /// The audit events of the turns that were checked since it was last asked, which took `seconds`.
    pub fn events(&mut self, seconds: f64) -> String {
        self.0.events(seconds)
    }

    /// Ends the file that was begun.
    pub fn end(&mut self) -> Output {
        self.0.end().into()
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
