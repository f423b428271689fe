//! `counterfoil eval`: readers, model, and the pair of both over labelled turns, without their clock and without the model.
//!
//! The packages' programs read files, ask the model and look at the clock; what is asked, how it is scored and every word that
//! is printed is made here. A program does this:
//!
//! 1. [`asked`] reads the words; [`Eval::add`] takes every file.
//! 2. [`Eval::next`] runs one step, and [`Eval::took`] is told what came of it: the seconds, and the model's answer where
//!    the step was a request. So until there is none.
//! 3. What [`Eval::finish`] returns is printed.
//!
//! # The three methods
//! `readers` is the check as it is by default. `model` asks the model about every reply that speaks of results, whatever
//! readers would find. `pair` is the mode `model`: the readers, and the model where they flag nothing.

mod cases;
mod report;
mod score;
mod words;

pub use words::{asked, Asked, Wanted};

use crate::command::bar;
use crate::error::{Error, ErrorKind};
use crate::model::{self, About, Given};
use crate::options::{Mode, Options};
use crate::render::{flat, json::json};
use crate::result::{Failure, Verification};
use crate::verification::verify;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use cases::Case;
use score::Found;
use serde::Serialize;

/// What is to be printed, and the exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// 0; 1 where a floor does not hold; 2 where the words are wrong or a file cannot be read.
    pub exit: u8,
}

/// What is said of something that cannot be done.
pub fn failure(message: &str) -> Answer {
    let stderr = format!("counterfoil: {}\nTry `counterfoil eval --help`.\n", flat(message, 400));
    Answer { stderr, exit: 2, ..Answer::default() }
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The readers ran: only the seconds that this call took are wanted.
    Checked,
    /// A model is to be asked this.
    Ask(model::Request),
}

/// What the three methods found in one case.
#[derive(Debug, Default)]
struct Row {
    readers: Option<Found>,
    model: Option<Found>,
    pair: Option<Found>,
}

/// What waits for the seconds and the answer of a step.
#[derive(Debug)]
enum Waits {
    Nothing,
    /// The readers ran over the case, for the pair too.
    Checked(Option<Verification>),
    /// A model was asked for the pair, or by itself (`alone`), or for both where the request is the same.
    Asked {
        request: model::Request,
        pair: bool,
        alone: bool,
    },
}

/// A run over files of cases.
#[derive(Debug)]
pub struct Eval {
    wanted: Wanted,
    cases: Vec<Case>,
    rows: Vec<Row>,
    waits: Waits,
    /// What the readers found in the case at hand, and in how many seconds.
    read: (Option<Verification>, f64),
    /// What is still to be asked about the case at hand.
    queue: Vec<(model::Request, bool, bool)>,
    /// Events for the audit that were not taken yet.
    events: Vec<String>,
}

impl Eval {
    /// A run without cases yet.
    pub fn new(wanted: Wanted) -> Self {
        Eval {
            wanted,
            cases: Vec::new(),
            rows: Vec::new(),
            waits: Waits::Nothing,
            read: (None, 0.0),
            queue: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Takes the cases of a file.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let found = cases::read(name, text)?;
        if found.is_empty() {
            return Err(Error::new(ErrorKind::Shape, "cases", "the file has no cases"));
        }
        self.cases.extend(found);
        Ok(())
    }

    /// How far it is, as one line for a terminal. An empty text where no line is worth it.
    pub fn progress(&self) -> String {
        let done = self.rows.len().saturating_sub(1);
        let name = self.cases.get(done).map_or("", |case| &case.id);
        bar::line(&bar::Far { done, count: self.cases.len(), name: &flat(name, 400), read: 0, size: 0 })
    }

    /// The next step; `None` when all is done.
    #[allow(clippy::should_implement_trait)] // What came of a step has to be told before the next, which no iterator asks for.
    pub fn next(&mut self) -> Option<Step> {
        if let Some((request, pair, alone)) = self.queue.pop() {
            self.waits = Waits::Asked { request: request.clone(), pair, alone };
            return Some(Step::Ask(request));
        }
        let case = self.cases.get(self.rows.len())?;
        self.waits = Waits::Checked(verify(&case.turn, &Options::default()));
        self.rows.push(Row::default());
        Some(Step::Checked)
    }

    /// What came of the step: how long it took and, after [`Step::Ask`], what the model gave.
    pub fn took(&mut self, seconds: f64, given: Option<&Given>) {
        let Some(case) = self.rows.len().checked_sub(1).and_then(|at| self.cases.get(at)) else { return };
        let Some(row) = self.rows.last_mut() else { return };
        match core::mem::replace(&mut self.waits, Waits::Nothing) {
            Waits::Nothing => {}
            Waits::Checked(result) => {
                row.readers = Some(score::found(case, result.as_ref(), false, seconds));
                self.events.extend(model::audit_line(result.as_ref(), &About { seconds, ..About::default() }));
                self.read = (result, seconds);
                if self.wanted.model.is_some() {
                    row.pair = row.readers.clone();
                    row.model = Some(score::found(case, None, false, 0.0));
                    self.queue = requests(case, self.read.0.as_ref());
                }
            }
            Waits::Asked { request, pair, alone } => {
                let none = Given::Failed(Failure::Raised);
                let given = given.unwrap_or(&none);
                let about = |seconds| About {
                    seconds,
                    bytes: Some(request.bytes),
                    model: self.wanted.model.clone(),
                    think: Some(request.thinking),
                    ..About::default()
                };
                let asked = |found| model::finish(&case.turn, found, &request, given, &paired());
                if alone {
                    let found = asked(None);
                    row.model = Some(score::found(case, Some(&found), true, seconds));
                }
                if pair {
                    let (read, before) = &self.read;
                    let found = asked(read.clone());
                    row.pair = Some(score::found(case, Some(&found), true, seconds + before));
                    self.events.extend(model::audit_line(Some(&found), &about(seconds + before)));
                }
            }
        }
    }

    /// The audit events since they were last taken, one line of JSON each.
    pub fn events(&mut self) -> String {
        core::mem::take(&mut self.events).into_iter().map(|event| event + "\n").collect()
    }

    /// The result. `old` is the JSON of an older run.
    pub fn finish(&self, old: Option<&str>) -> Answer {
        report::report(&self.wanted, &self.cases, &self.rows, old)
    }
}

/// For hosts that hand over JSON.
impl Eval {
    /// A run as these words ask for it, which [`asked`] found to be in order.
    pub fn of_words(words: &[String]) -> Option<Self> {
        match asked(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
            Asked::Eval(wanted) => Some(Eval::new(wanted)),
            Asked::Answer(_) => None,
        }
    }

    /// As [`Eval::next`]: the request as JSON, an empty text where only the time is wanted.
    pub fn next_json(&mut self) -> Option<String> {
        Some(match self.next()? {
            Step::Checked => String::new(),
            Step::Ask(request) => json(&request),
        })
    }

    /// As [`Eval::took`], with what the model gave as JSON: `{"answer": …}` or `{"failure": KIND}`.
    pub fn took_json(&mut self, seconds: f64, given: Option<&str>) -> Result<(), Error> {
        let given = given.map(crate::wire::given).transpose()?;
        self.took(seconds, given.as_ref());
        Ok(())
    }
}

/// [`asked`] as JSON text: `{"eval": {…}}` or `{"answer": {"stdout", "stderr", "exit"}}`.
pub fn asked_json(words: &[String]) -> String {
    json(&asked(&words.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// The options of the mode `model`.
fn paired() -> Options {
    Options { mode: Mode::Model, ..Options::default() }
}

/// What is asked about a case: for the pair, by itself, or once for both; the last is asked first.
fn requests(case: &Case, found: Option<&Verification>) -> Vec<(model::Request, bool, bool)> {
    let pair = model::plan(&case.turn, found, &paired());
    let alone = model::alone(&case.turn, found, &paired());
    match (pair, alone) {
        (Some(pair), Some(alone)) if pair == alone => Vec::from([(pair, true, true)]),
        (pair, alone) => {
            let pair = pair.map(|request| (request, true, false));
            alone.map(|request| (request, false, true)).into_iter().chain(pair).collect()
        }
    }
}
