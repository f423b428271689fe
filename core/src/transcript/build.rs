//! Turns from a stream of events: the rules that hold for every host.
//!
//! A person's message opens a turn, all else belongs to the turn that speaks next. Calls and results
//! pair by call id alone; the first result wins; what has no result stays pending; a result without
//! a call is noted and kept as context. Text that calls follow is interim.

mod given;
mod heard;
mod opaque;
mod signed;

use super::notes::Notes;
use super::value::print;
use crate::record::{Call, Executor, Piece, Status, Turn};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(super) use super::answer::{fill, Answer};

/// A call's place: the turn and the index in its calls.
type Place = (usize, usize);

/// What is known of a call id.
#[derive(Debug, Default)]
struct Paired {
    place: Place,
    answered: bool,
    /// Several calls of one turn wait under this id: which of them a result belongs to is not certain.
    shared: bool,
    /// An earlier call with the same id, tool and arguments: this one may be a replay of it.
    twin: Option<Place>,
    /// What stands for the call, and for its twin, once their turns were given out.
    prints: [Option<Print>; 2],
}

const AMID: &str = "the record starts in the middle of the conversation";

/// Numbers for a call's tool and arguments, and for its output.
type Print = (u64, u64);

fn print_of(call: &Call) -> Print {
    let made = print(&call.tool) ^ print(&call.arguments.to_string()).rotate_left(1);
    (made, print_output(call.output.as_deref()))
}

fn print_output(output: Option<&str>) -> u64 {
    output.map_or(0, print)
}

/// What was given to the agent since it last spoke.
#[derive(Debug, Default)]
struct Waiting {
    context: Vec<String>,
    calls: Vec<Call>,
    gaps: Vec<String>,
    /// A message that opens a turn only if the agent answers it.
    command: Option<String>,
}

/// Collects the turns of one conversation.
#[derive(Debug, Default)]
pub(super) struct Builder {
    done: Vec<Turn>,
    /// How many turns in front of `done` were given out.
    given: usize,
    current: Turn,
    open: bool,
    waiting: Waiting,
    pairs: BTreeMap<String, Paired>,
    /// Pending calls of this turn that have no id, by their tool: places in its calls.
    unnamed: BTreeMap<String, VecDeque<usize>>,
    /// The same places, in their order, and those of calls that have returned since.
    nameless: VecDeque<usize>,
    replays: Vec<Place>,
    /// Turns that are done, and those of them that were taken back.
    alive: Vec<usize>,
    dead: Vec<usize>,
    /// So many turns at the start were copied from another session.
    copied: usize,
    /// How many calls were left out as replays.
    replayed: usize,
    /// Whether any call has a twin.
    doubled: bool,
    /// The turns in front of this one that were given out and whose calls are not known any more.
    forgotten: usize,
    /// The message that the last piece belongs to, while nothing came in between.
    tail: Option<String>,
    /// A result came, and the agent has not gone on since.
    returned: bool,
    /// The model that was named last.
    model: Option<String>,
    /// What every turn was given from the start.
    pub(super) system: Vec<String>,
    /// Names of the tools on offer.
    pub(super) tools: Option<Vec<String>>,
    /// The host's id of the conversation.
    pub(super) id: Option<String>,
    /// Why every turn is incomplete.
    pub(super) incomplete: Vec<String>,
}

impl Builder {
    /// Whether nothing was said or done yet.
    pub(super) fn is_empty(&self) -> bool {
        self.given == 0 && self.done.is_empty() && !self.open
    }

    /// A message from the person: a new turn.
    #[inline(never)]
    pub(super) fn user(&mut self, text: Option<String>) {
        if let Some(command) = self.waiting.command.take() {
            self.waiting.context.push(command);
        }
        self.start(text);
    }

    /// A message that may be for the host alone, such as a slash command: a turn only if the agent answers.
    #[inline(never)]
    pub(super) fn command(&mut self, text: String) {
        if let Some(former) = self.waiting.command.replace(text) {
            self.waiting.context.push(former);
        }
    }

    /// Other text that the agent was given.
    #[inline(never)]
    pub(super) fn context(&mut self, text: String) {
        if !text.trim().is_empty() {
            self.waiting.context.push(text);
        }
        self.tail = None;
    }

    /// Instructions of the host: every turn's before the first message, context of the next turn later on.
    #[inline(never)]
    pub(super) fn instructions(&mut self, texts: Vec<String>) {
        for text in texts {
            if self.is_empty() {
                self.system.push(text);
            } else {
                self.context(text);
            }
        }
    }

    /// A reason why the record of the turn that speaks next, or else of the last one, is incomplete.
    #[inline(never)]
    pub(super) fn gap(&mut self, reason: &str) {
        if !self.waiting.gaps.iter().any(|gap| gap == reason) && self.waiting.gaps.len() < 8 {
            self.waiting.gaps.push(reason.to_owned());
        }
    }

    /// A reason why every turn is incomplete.
    #[inline(never)]
    pub(super) fn lacks(&mut self, reason: &str) {
        self.incomplete.push(reason.to_owned());
    }

    /// The conversation was compacted: where nothing stands before, every turn lacks what did.
    #[inline(never)]
    pub(super) fn compacted(&mut self) {
        const COMPACTED: &str = "the conversation was compacted";
        if !self.is_empty() {
            self.gap(COMPACTED);
        } else if !self.incomplete.iter().any(|reason| reason == COMPACTED) {
            self.lacks(COMPACTED);
        }
        self.tail = None;
    }

    /// An entry that could not be read may have been anything: what it was is noted, and the turn that speaks next has a gap.
    #[inline(never)]
    pub(super) fn left_out(&mut self, place: &str, why: &str, notes: &mut Notes) {
        notes.add("entries that were left out", [place, ": ", why, "; left out"].concat());
        self.unread(place);
    }

    /// Something in an entry could not be read: a gap of the turn that speaks next.
    #[inline(never)]
    pub(super) fn unread(&mut self, place: &str) {
        self.gap(&[place, " could not be read"].concat());
    }

    /// The last turns were taken back: they are no part of the session.
    pub(super) fn roll_back(&mut self, count: usize) {
        self.end();
        for _ in 0..count {
            let Some(turn) = self.alive.pop() else { break };
            if turn < self.given {
                // It was given out before it was taken back: what counts as earlier is not certain any more.
                self.incomplete.push("turns that were given out were taken back".to_owned());
                break;
            }
            self.dead.push(turn);
        }
    }

    /// All turns so far were copied from another session: their calls are earlier ones of the next turn.
    pub(super) fn past(&mut self) {
        self.end();
        self.copied = self.given + self.done.len();
    }

    /// Whether turns were copied from another session.
    pub(super) fn brings_past(&self) -> bool {
        self.copied > 0
    }

    /// Ends the turn; the agent opens a new one when it goes on without a message.
    #[inline(never)]
    pub(super) fn end(&mut self) {
        if self.open {
            self.close();
        }
    }

    /// A call that the person made; it belongs to the turn that speaks next.
    pub(super) fn user_call(&mut self, call: Call) {
        self.waiting.calls.push(call);
    }

    /// The person's last call, to give it what it printed.
    pub(super) fn user_call_open(&mut self) -> Option<&mut Call> {
        self.waiting.calls.last_mut()
    }

    /// Prose of the agent. Texts of one message with nothing in between are one piece, joined without
    /// a break, because citations split one sentence over several blocks.
    #[inline(never)]
    pub(super) fn text(&mut self, text: String, message: &str) {
        let joins = self.tail.as_deref() == Some(message);
        self.returned = false;
        if text.is_empty() || !joins && text.trim().is_empty() {
            return;
        }
        self.speak();
        self.sign(true);
        match self.current.reply.last_mut() {
            Some(piece) if joins => piece.text.push_str(&text),
            _ => self.current.reply.push(Piece { text, interim: false }),
        }
        self.tail = Some(message.to_owned());
    }

    /// The host says that the last piece of prose is no final answer.
    #[inline(never)]
    pub(super) fn interim(&mut self) {
        if let Some(piece) = self.current.reply.last_mut().filter(|_| self.tail.is_some()) {
            piece.interim = true;
        }
    }

    /// Something that is no prose but stands between two texts, such as thinking.
    pub(super) fn between(&mut self) {
        self.tail = None;
        self.returned = false;
    }

    /// A call of the agent. Its status is set to pending until a result comes, unless it already has one.
    #[inline(never)]
    pub(super) fn call(&mut self, mut call: Call, answer: Option<Answer>, notes: &mut Notes) {
        self.speak();
        self.tail = None;
        if call.executor != Some(Executor::Subagent) {
            self.sign(false);
            for piece in self.current.reply.iter_mut().rev().take_while(|p| !p.interim) {
                piece.interim = true;
            }
        }
        let answered = answer.is_some();
        let mut known_print = None;
        let twin = match call.id.as_ref().and_then(|id| self.pairs.get(id)) {
            None => None,
            Some(known) => {
                let [first, _] = known.prints;
                let same = match self.at(known.place) {
                    Some(c) => c.tool == call.tool && c.arguments == call.arguments,
                    None => first.is_some_and(|(made, _)| made == print_of(&call).0),
                };
                let id = call.id.as_deref().unwrap_or("");
                notes.add("call ids that come again", format!("the call id {id} comes again"));
                let replayed = match &answer {
                    None => !known.answered && !known.shared,
                    Some(answer) => self.gave(known.place, first, answer),
                };
                if same && replayed {
                    return;
                }
                known_print = first;
                Some(known.place).filter(|_| same && !known.shared)
            }
        };
        let shared = twin.is_none() && self.shares(call.id.as_deref());
        match answer {
            Some(answer) => fill(&mut call, answer),
            None if shared => call.status = Status::Unknown,
            None => call.status = Status::Pending,
        }
        let calls = self.current.calls.get_or_insert_with(Vec::new);
        let place = (self.given + self.done.len(), calls.len());
        self.doubled |= twin.is_some();
        if let Some(id) = &call.id {
            let prints = [None, known_print.filter(|_| twin.is_some())];
            self.pairs.insert(id.clone(), Paired { place, answered, shared, twin, prints });
        } else if !answered {
            self.unnamed.entry(call.tool.clone()).or_default().push_back(place.1);
            self.nameless.push_back(place.1);
        }
        calls.push(call);
    }

    /// The result of a call. Only the first result of a call counts.
    #[inline(never)]
    pub(super) fn result(&mut self, id: &str, answer: Answer, notes: &mut Notes) {
        self.returned = true;
        let Some(known) = self.pairs.get_mut(id) else {
            notes.add("results without a call", format!("the result {id} has no call"));
            self.gap("a result has no call in the record");
            self.context(answer.output.unwrap_or_default());
            return;
        };
        if known.shared {
            self.context(answer.output.unwrap_or_default());
            return;
        }
        if known.answered {
            notes.add("second results of a call", format!("the call {id} has a second result; the first counts"));
            return;
        }
        known.answered = true;
        if known.place.0 < self.given {
            notes.add("late results", format!("the result {id} came after its turn had been given out"));
            self.gap("a result of an earlier turn came late");
            self.context(answer.output.unwrap_or_default());
            return;
        }
        let (place, twin, [_, print]) = (known.place, known.twin, known.prints);
        if twin.is_some_and(|twin| self.gave(twin, print, &answer)) {
            self.replays.push(place);
        }
        if let Some(call) = self.at_mut(place) {
            fill(call, answer);
        }
    }

    /// Whether a call returned just this. Of one whose turn was given out its print tells.
    fn gave(&self, place: Place, print: Option<Print>, answer: &Answer) -> bool {
        match self.at(place) {
            Some(call) => call.output == answer.output,
            None => print.is_some_and(|(_, output)| output == print_output(answer.output.as_deref())),
        }
    }

    /// A result by the id of its call, or by the name of the tool where it brings none.
    pub(super) fn returned(&mut self, id: &str, name: &str, answer: Answer, notes: &mut Notes) {
        if id.is_empty() {
            self.result_named(name, answer, notes);
        } else {
            self.result(id, answer, notes);
        }
    }

    /// A result that brings no id: it goes to the first pending call of this name in this turn, or to the first of all where
    /// it brings no name either.
    #[inline(never)]
    pub(super) fn result_named(&mut self, name: &str, answer: Answer, notes: &mut Notes) {
        let first = if name.is_empty() { self.first_unnamed() } else { None };
        let queue = self.unnamed.get_mut(first.as_deref().unwrap_or(name));
        let place = queue.and_then(VecDeque::pop_front);
        let calls = self.current.calls.as_deref_mut().unwrap_or(&mut []);
        match place.and_then(|place| calls.get_mut(place)) {
            Some(call) => {
                fill(call, answer);
                self.returned = true;
            }
            None => self.result(name, answer, notes),
        }
    }

    /// The tool of the first pending call that has no id. A call that returned is no longer the first of its tool.
    fn first_unnamed(&mut self) -> Option<String> {
        let calls = self.current.calls.as_deref()?;
        while let Some(place) = self.nameless.front() {
            let tool = &calls.get(*place)?.tool;
            if self.unnamed.get(tool).and_then(VecDeque::front) == Some(place) {
                return Some(tool.clone());
            }
            self.nameless.pop_front();
        }
        None
    }

    /// Whether a call with this id was read.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.pairs.contains_key(id)
    }

    /// Changes calls after the fact, as a closing list of denials does.
    pub(super) fn amend(&mut self, id: &str, change: impl FnOnce(&mut Call)) {
        if let Some(call) = self.pairs.get(id).map(|p| p.place).and_then(|place| self.at_mut(place)) {
            change(call);
        }
    }

    /// The call with this id.
    #[inline(never)]
    pub(super) fn called(&self, id: &str) -> Option<&Call> {
        self.pairs.get(id).and_then(|known| self.at(known.place))
    }

    /// Whether any prose stands in the turn that is open.
    pub(super) fn has_spoken(&self) -> bool {
        self.open && !self.current.reply.is_empty()
    }

    /// The last piece of the agent's prose in this turn, while nothing has followed it.
    pub(super) fn last_text(&self) -> Option<&str> {
        self.tail.as_ref()?;
        self.current.reply.last().filter(|p| !p.interim).map(|p| p.text.as_str())
    }

    fn at(&self, (turn, call): Place) -> Option<&Call> {
        let turn = turn.checked_sub(self.given)?;
        let turn = if turn == self.done.len() { Some(&self.current) } else { self.done.get(turn) };
        turn?.calls.as_ref()?.get(call)
    }

    fn at_mut(&mut self, (turn, call): Place) -> Option<&mut Call> {
        let turn = turn.checked_sub(self.given)?;
        let turn = if turn == self.done.len() { Some(&mut self.current) } else { self.done.get_mut(turn) };
        turn?.calls.as_mut()?.get_mut(call)
    }

    /// Makes sure that a turn is open for what the agent says or does.
    fn speak(&mut self) {
        if let Some(command) = self.waiting.command.take() {
            self.start(Some(command));
        } else if !self.open {
            if self.is_empty() {
                self.gap(AMID);
            }
            self.start(None);
        }
        self.returned = false;
        self.flush();
    }

    fn start(&mut self, user: Option<String>) {
        self.returned = false;
        if self.open {
            self.close();
        }
        self.open = true;
        self.current = Turn { user, calls: Some(Vec::new()), ..Turn::default() };
        self.flush();
    }

    fn close(&mut self) {
        self.open = false;
        self.unnamed.clear();
        self.nameless.clear();
        self.tail = None;
        self.alive.push(self.given + self.done.len());
        self.done.push(core::mem::take(&mut self.current));
    }

    /// Gives the current turn what was waiting for it.
    fn flush(&mut self) {
        if let Some(command) = self.waiting.command.take() {
            self.waiting.context.push(command);
        }
        self.current.context.append(&mut self.waiting.context);
        self.current.calls.get_or_insert_with(Vec::new).append(&mut self.waiting.calls);
        for gap in self.waiting.gaps.drain(..) {
            if !self.current.gaps.reasons.contains(&gap) {
                self.current.gaps.reasons.push(gap);
            }
        }
    }
}
