//! The record as the readers of one turn see it, with what their claims share.

mod longer;
mod shared;

use super::asked::{is_material, wants_text};
use super::*;

/// The record as it stands at the end of one turn.
pub struct View<'r, 'a> {
    record: &'r Record<'a>,
    part: usize,
    /// The calls that count as the turn's own.
    now: Range<usize>,
    /// The turn.
    pub turn: &'a Turn,
    /// The view of the turn as if it had begun earlier.
    longer: OnceCell<Option<Box<View<'r, 'a>>>>,
    /// The labelled values of a view that is no part's own.
    labels: OnceCell<Labels>,
    figures: OnceCell<Figures>,
    arguments: OnceCell<Arguments>,
    waits: Cell<bool>,
    unseen: OnceCell<Vec<usize>>,
    keys: OnceCell<Vec<(usize, Span)>>,
    vocabulary: OnceCell<Vocabulary>,
    wrapper: OnceCell<Option<usize>>,
    instruments: OnceCell<Vec<(usize, Role, Vec<String>)>>,
    shared: [OnceCell<Option<usize>>; 26],
    /// For each deed the call that tells of it.
    told: [OnceCell<Option<usize>>; Deed::ALL.len()],
    /// Whether the agent was given a passing run, of builds and of tests.
    given: [OnceCell<bool>; 2],
    stand_in: OnceCell<Option<StandIn>>,
    unended: OnceCell<Vec<usize>>,
    /// The looks at what a call and a kind of work were about.
    looks: RefCell<BTreeMap<(usize, &'static str), Option<usize>>>,
    /// The runs of tests and of builds, by what they are named by.
    runs: [OnceCell<Runs>; 2],
    /// What passed among them.
    passes: [OnceCell<Passes>; 2],
    removals: OnceCell<Removals>,
    deletions: OnceCell<Vec<(usize, String)>>,
    acting: OnceCell<Vec<usize>>,
    by_program: OnceCell<BTreeMap<String, Vec<usize>>>,
    /// What the runs of tests and of builds came to: for claims about a part, for those about all, and by other calls.
    courses: [[OnceCell<Course>; 3]; 2],
}

/// How many bytes of a turn's outputs are searched for numbers that others could follow from.
const FIGURED: usize = 1 << 20;

impl<'r, 'a> View<'r, 'a> {
    /// The view at the end of `part`; none where it is no turn.
    pub fn new(record: &'r Record<'a>, part: usize) -> Option<Self> {
        Self::of(record, part, record.ranges.get(part)?.clone())
    }

    /// The view of a part to which these calls are counted.
    fn of(record: &'r Record<'a>, part: usize, now: Range<usize>) -> Option<Self> {
        let turn = record.parts.get(part)?.turn?;
        Some(View {
            record,
            part,
            now,
            turn,
            longer: OnceCell::new(),
            labels: OnceCell::new(),
            figures: OnceCell::new(),
            arguments: OnceCell::new(),
            waits: Cell::new(false),
            unseen: OnceCell::new(),
            keys: OnceCell::new(),
            vocabulary: OnceCell::new(),
            wrapper: OnceCell::new(),
            instruments: OnceCell::new(),
            shared: [const { OnceCell::new() }; 26],
            told: [const { OnceCell::new() }; Deed::ALL.len()],
            given: [const { OnceCell::new() }; 2],
            stand_in: OnceCell::new(),
            unended: OnceCell::new(),
            looks: RefCell::default(),
            runs: Default::default(),
            passes: Default::default(),
            removals: OnceCell::new(),
            deletions: OnceCell::new(),
            acting: OnceCell::new(),
            by_program: OnceCell::new(),
            courses: Default::default(),
        })
    }

    /// Whether a place was asked for, since this was asked last, before anything was looked up. What the record answered
    /// in the meantime is then to be asked again.
    pub fn waits(&self) -> bool {
        self.waits.take()
    }

    /// Puts a claim off until places were looked up, if they were not yet.
    pub fn look_up_first(&self) {
        if self.record.hits.is_none() {
            self.waits.set(true);
        }
    }

    /// The part of the record that the turn is.
    pub fn part(&self) -> usize {
        self.part
    }

    /// The turn's own calls, counted over the whole record.
    pub fn now(&self) -> Range<usize> {
        self.now.clone()
    }

    /// A call's facts.
    pub fn facts(&self, call: usize) -> &'r Facts<'a> {
        &self.record.facts[call]
    }

    /// The facts of every call of the record, those of later turns included.
    #[cfg(feature = "rules")]
    pub(crate) fn record(&self) -> &'r [Facts<'a>] {
        &self.record.facts
    }

    /// The turn's own calls with their numbers.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, &'r Facts<'a>)> + 'r {
        let record = self.record;
        self.now().map(move |i| (i, &record.facts[i]))
    }

    /// Where a text or a number stands: in this turn, else before it.
    pub fn hit(&self, id: Id) -> Option<Hit> {
        self.look_up_first();
        self.record.hits.as_ref()?.get(id).copied().flatten()
    }

    /// The last of `calls` in this turn, else the last before it.
    fn last(&self, calls: &[usize]) -> Option<usize> {
        let end = calls.partition_point(|&c| c < self.now().end);
        end.checked_sub(1).map(|i| calls[i])
    }

    /// The last call that did the act, else the last that may have: in this turn, else before it.
    pub fn doer(&self, act: Act) -> Option<usize> {
        let named = self.last(&self.record.named[act as usize]);
        let able = self.last(&self.record.able[act as usize]);
        match (named, able) {
            (Some(n), Some(a)) if n < self.now().start && a >= self.now().start => Some(a),
            (Some(n), _) => Some(n),
            (None, able) => able,
        }
    }

    /// The calls of this turn in front of one of them.
    pub fn calls_before(&self, call: usize) -> &'r [Facts<'a>] {
        self.record.facts.get(self.now().start..call).unwrap_or(&[])
    }

    /// The last call of an earlier turn that did the act or may have.
    pub fn before(&self, act: Act) -> Option<usize> {
        let calls = &self.record.able[act as usize];
        calls.partition_point(|&c| c < self.now().start).checked_sub(1).map(|i| calls[i])
    }

    /// The last call that did the deed or may have: in this turn, else before it.
    pub fn did(&self, deed: Deed) -> Option<usize> {
        let some = self.last(&self.record.doers[deed as usize]);
        some.max(self.last(&self.record.doers_of_any))
    }

    /// The calls of this turn that did the deed by their name or line, had they succeeded, latest first.
    pub fn tried(&self, deed: Deed) -> impl Iterator<Item = (usize, &'r Facts<'a>)> + 'r {
        self.calls().rev().filter(move |(_, f)| f.deeds.names(deed))
    }

    /// The last call of this turn that acts and whose output tells of the deed: a secondary effect, or a step that was done
    /// before a failure. All outputs are read for it, once a turn.
    pub fn told(&self, deed: Deed) -> Option<usize> {
        let acts = |f: &Facts<'_>| f.ran() && !f.refuses && f.deeds != Deeds::NONE;
        let tells = |f: &Facts<'_>| {
            f.call.output.as_deref().is_some_and(|o| crate::evidence::deeds::tells(deed, o, !f.succeeded))
        };
        let find = || self.calls().rev().find(|(_, f)| acts(f) && tells(f)).map(|(call, _)| call);
        *self.told[deed as usize].get_or_init(find)
    }

    /// The last call that may have written any file, in this turn or before it.
    pub fn wrote_any(&self) -> Option<usize> {
        self.last(&self.record.writers)
    }

    /// The last call that did the act by its name, in this turn or before it.
    pub fn named(&self, act: Act) -> Option<usize> {
        self.last(&self.record.named[act as usize])
    }

    /// The last call in this turn that did the act or may have.
    pub fn doer_now(&self, act: Act) -> Option<usize> {
        self.doer(act).filter(|c| self.now().contains(c))
    }

    /// The last call that a policy or a person turned away.
    pub fn refused(&self) -> Option<usize> {
        self.last(&self.record.refused)
    }

    /// Calls that ran and failed: those of this turn, latest first, then a bounded number of those before it.
    pub fn failed(&self) -> impl Iterator<Item = usize> + 'r {
        let calls = self.record.failed.as_slice();
        calls[..calls.partition_point(|&c| c < self.now().end)].iter().rev().copied().take(64 + self.now().len())
    }

    /// The last call that exited with this number: in this turn, else before it.
    pub fn exited(&self, exit: i64) -> Option<usize> {
        self.last(self.record.exits.get(&(exit as u64))?)
    }

    /// The last command that may have exited with this number unrecorded: in this turn, else before it.
    pub fn exit_open(&self, exit: i64) -> Option<usize> {
        self.last(&self.record.open[usize::from(exit != 0)])
    }

    /// The last call whose output lets something be counted to so many: in this turn, else before it.
    pub fn printed(&self, count: u64) -> Option<usize> {
        if self.waits.get() {
            return None;
        }
        let here = self.now().rev().find(|&call| self.record.counts(call).is_some_and(|counts| counts.holds(count)));
        here.or_else(|| self.record.counted.borrow_mut().before(count, self.now().start, self.record))
    }

    /// The last call of this turn that searched or listed and whose output holds the number or lets so many be counted.
    pub fn searched(&self, count: u64) -> Option<usize> {
        let holds = |call: usize| self.record.counts(call).is_some_and(|counts| counts.holds(count));
        self.current(&self.record.searches).iter().rev().copied().find(|&call| holds(call))
    }

    /// Whether the turn's calls print at least so many things: a person may have counted some of them.
    pub fn allows(&self, count: u64) -> bool {
        if self.waits.get() {
            return false;
        }
        let mut printed = 0;
        count == 0
            || self.now().any(|call| {
                printed += self.record.lines(call);
                printed >= count
            })
    }

    /// The calls of this turn that ran a program.
    pub fn ran(&self, program: &str) -> &'r [usize] {
        self.current(self.record.programs.get(program).map_or(&[], |&at| self.record.ran[at].as_slice()))
    }

    /// Those of `calls`, which are in order, that this turn made.
    fn current(&self, calls: &'r [usize]) -> &'r [usize] {
        let now = self.now();
        &calls[calls.partition_point(|&c| c < now.start)..calls.partition_point(|&c| c < now.end)]
    }

    /// The first call of this turn, whatever came of it, that may have run anything.
    pub fn wrapper(&self) -> Option<usize> {
        let wraps = || self.calls().find(|(_, f)| f.ran() && f.acts.could(Act::Wrap)).map(|(call, _)| call);
        *self.wrapper.get_or_init(wraps)
    }

    /// The tools of this turn that are no shells, each with its role, the words of its name and its first call.
    pub fn instruments(&self) -> &[(usize, Role, Vec<String>)] {
        self.instruments.get_or_init(|| {
            let mut first: BTreeMap<&str, usize> = BTreeMap::new();
            for (call, facts) in self.calls().filter(|(_, f)| f.role != Role::Command && f.ran()) {
                first.entry(facts.call.tool.as_str()).or_insert(call);
            }
            let words = |(tool, call)| (call, self.facts(call).role, crate::evidence::roles::words(tool));
            first.into_iter().map(words).collect()
        })
    }

    /// The first call of this turn that has a short argument which holds the name as written.
    pub fn naming(&self, name: &str) -> Option<usize> {
        self.arguments.get_or_init(|| Arguments::of(self.calls())).naming(name)
    }

    /// The folded texts of a call's arguments, and their numbers.
    pub fn values(&self, call: usize) -> &'r Values {
        let record = self.record;
        record.learned[call].values.get_or_init(|| Box::new(Values::of(&record.facts[call].call.arguments)))
    }

    /// Whether a call of this turn was given an address at this host.
    pub fn works_with(&self, host: &str) -> bool {
        let host = crate::text::fold::fold(host);
        let named = |text: &Vec<u8>| text.len() <= 4_096 && memchr::memmem::find(text, &host).is_some();
        self.now().take(256).any(|call| self.values(call).texts.iter().take(64).any(named))
    }

    /// The calls of this turn that succeeded and whose result the record does not hold, so that they may have shown
    /// anything: no output at all, nothing from a tool that looks, a picture.
    pub fn unseen(&self) -> &[usize] {
        self.unseen.get_or_init(|| {
            let looks = |role: Role| matches!(role, Role::Read | Role::Look | Role::Fetch | Role::Agent);
            let shows = |f: &Facts<'_>| match f.call.output.as_deref() {
                None => true,
                Some(output) => {
                    let marks = ["[image", "[Image", "<image", "\"type\":\"image", "\"type\": \"image", "data:image/"];
                    marks.iter().any(|mark| output.contains(mark)) || (looks(f.role) && output.trim().is_empty())
                }
            };
            self.calls().filter(|(_, f)| f.succeeded && shows(f)).map(|(call, _)| call).collect()
        })
    }

    /// The keys (`OPS-4711`) that calls of this turn which did more than look printed: the call and the place.
    pub fn keys(&self) -> &[(usize, Span)] {
        self.keys.get_or_init(|| {
            let looks = |f: &Facts<'_>| matches!(f.role, Role::Read | Role::Look | Role::Search | Role::Fetch);
            let acts = self.calls().filter(|(_, f)| f.succeeded && !looks(f));
            let outputs = acts.filter_map(|(call, f)| Some((call, f.call.output.as_deref()?)));
            let all = outputs.flat_map(|(call, output)| keys(output).into_iter().map(move |span| (call, span)));
            all.take(MOST).collect()
        })
    }

    /// Whether all of these words, and whether any, may stand in what the turn's calls print and were given.
    pub fn may_hold(&self, words: &[String]) -> (bool, bool) {
        self.vocabulary.get_or_init(|| Vocabulary::of(self.calls().map(|(_, f)| f))).holds(words)
    }

    /// The values that the turn's outputs print, with their words.
    pub fn labels(&self) -> &Labels {
        let own = self.record.ranges[self.part] == self.now;
        let held = if own { &self.record.labels[self.part] } else { &self.labels };
        held.get_or_init(|| Labels::of(self.calls()))
    }

    /// Whether a number is one of those that the turn's outputs print, rounded, cut, or so many times more or less.
    pub fn rounds(&self, number: &Number, factors: &[f64]) -> bool {
        !self.waits.get() && self.figures().round(number, factors)
    }

    /// Whether a number follows from those that the turn's outputs print.
    pub fn derives(&self, number: &Number) -> bool {
        !self.waits.get() && self.figures().derive(number)
    }

    /// Whether an amount of money follows from them.
    pub fn yields(&self, amount: &Number) -> bool {
        !self.waits.get() && self.figures().money(amount)
    }

    /// The numbers that the turn's outputs print.
    fn figures(&self) -> &Figures {
        self.figures.get_or_init(|| {
            let mut all = String::new();
            for (_, facts) in self.calls() {
                if let Some(output) = facts.call.output.as_deref().filter(|o| all.len() + o.len() <= FIGURED) {
                    all.push_str(output);
                    all.push('\n');
                }
            }
            Figures::of(&all)
        })
    }

    /// The last messages of the person up to this turn, latest first; none where there are more than so many.
    pub fn messages(&self, most: usize) -> Option<Vec<&'r str>> {
        let parts = self.record.parts.get(..=self.part).unwrap_or(&[]).iter().rev();
        let of = |part: &'r Part<'a>| part.turn.map(|t| t.user.iter().chain(t.said.iter().flatten().rev()));
        let all: Vec<&str> = parts.filter_map(of).flatten().map(String::as_str).take(most + 1).collect();
        (all.len() <= most).then_some(all)
    }

    /// Whether the person's messages are in the record.
    pub fn heard(&self) -> bool {
        self.record.heard.is_some_and(|part| part <= self.part)
    }

    /// The numbers of the calls to a tool, up to the end of this turn.
    pub fn calls_to(&self, tool: &str) -> &'r [usize] {
        let calls = self.record.tools.get(tool).map_or(&[][..], |&at| &self.record.called[at]);
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// Questions put to the person, up to the end of this turn.
    pub fn asks(&self) -> &'r [usize] {
        let calls = self.record.asks.as_slice();
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// Calls up to the end of this turn whose output is only an excerpt.
    pub fn cut(&self) -> &'r [usize] {
        let calls = self.record.cut.as_slice();
        &calls[..calls.partition_point(|&c| c < self.now().end)]
    }

    /// What a call let the agent see.
    pub fn seen(&self, call: usize) -> &'r Seen {
        let record = self.record;
        record.learned[call].seen.get_or_init(|| Box::new(Seen::of(&record.facts[call])))
    }

    /// All calls up to the end of this turn, latest first.
    pub fn all(&self) -> impl Iterator<Item = (usize, &'r Facts<'a>)> + 'r {
        let record = self.record;
        (0..self.now().end).rev().map(move |i| (i, &record.facts[i]))
    }

    /// Whether the person's messages so far hold material to look at, not just a request: code, a list, a long text.
    pub fn material(&self) -> bool {
        let first = *self.record.material.get_or_init(|| self.record.said(is_material));
        first.is_some_and(|part| part <= self.part)
    }

    /// Whether the person asked for a text so far, which may speak in the first person of things done, and mean none of it.
    pub fn wants_text(&self) -> bool {
        let first = *self.record.texts.get_or_init(|| self.record.said(wants_text));
        first.is_some_and(|part| part <= self.part)
    }

    /// What a call's output says of a test run.
    pub fn tests(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let tests = |output| outcome::tests(output).map(Box::new);
        record.learned[call].tests.get_or_init(|| record.facts[call].call.output.as_deref().and_then(tests)).as_deref()
    }

    /// What a call's output says of a build.
    pub fn builds(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let build = |output| outcome::build_with(output, &record.build_words).map(Box::new);
        record.learned[call].builds.get_or_init(|| record.facts[call].call.output.as_deref().and_then(build)).as_deref()
    }

    /// What a call's output says of linters and type checkers.
    pub fn checks(&self, call: usize) -> Option<&'r Summary> {
        let record = self.record;
        let check = |output| outcome::checks(output).map(Box::new);
        record.learned[call].checks.get_or_init(|| record.facts[call].call.output.as_deref().and_then(check)).as_deref()
    }

    /// What a call's answer says of its own end.
    pub fn answer(&self, call: usize) -> &'r Answer {
        let record = self.record;
        let called = record.facts[call].call;
        let answer = |output| ended::answer(&called.tool, output);
        record.learned[call].answer.get_or_init(|| called.output.as_deref().map_or(Answer::Fine, answer))
    }

    /// What a call's output says of test coverage.
    pub fn coverage(&self, call: usize) -> Option<&'r Coverage> {
        let record = self.record;
        let read = |output| coverage::coverage(output).map(Box::new);
        record.learned[call]
            .coverage
            .get_or_init(|| record.facts[call].call.output.as_deref().and_then(read))
            .as_deref()
    }

    /// The calls of this turn that came to no good end, by their status or their own answer: the last 64 of them.
    pub fn unended(&self) -> &[usize] {
        const MOST: usize = 64;
        self.unended.get_or_init(|| {
            let makes = |f: &Facts<'_>| matches!(f.role, Role::Unknown | Role::Write | Role::Remove | Role::Notify);
            let bad =
                |&(call, f): &(usize, &Facts<'_>)| !f.succeeded || (makes(f) && *self.answer(call) != Answer::Fine);
            let mut calls: Vec<usize> = self.calls().rev().filter(bad).take(MOST).map(|(call, _)| call).collect();
            calls.reverse();
            calls
        })
    }

    /// Every summary of a test run in a call's output.
    pub fn summaries(&self, call: usize) -> &'r [Summary] {
        let record = self.record;
        let output = || record.facts[call].call.output.as_deref().map_or_else(Vec::new, outcome::all_tests);
        record.learned[call].summaries.get_or_init(output)
    }

    /// The content of this turn that stands in for the real one, if there is any and the reply does not tell of it.
    /// Its places are those of calls over the whole record.
    pub fn stand_in(&self) -> Option<&StandIn> {
        let find = || {
            let now = self.now();
            let found = stand_in::find(&self.record.facts[now.clone()])?;
            let wished = self.turn.user.iter().chain(self.turn.said.iter().flatten());
            let wished = wished.into_iter().any(|t| stand_in::wished(t));
            let told = self.turn.reply.iter().any(|piece| stand_in::told(&piece.text));
            let (attempt, written) = (found.attempt + now.start, found.written + now.start);
            (!wished && !told).then_some(StandIn { attempt, written, ..found })
        };
        self.stand_in.get_or_init(find).as_ref()
    }
}
