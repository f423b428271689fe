//! Judges claims: the checks of the readers and the host's rules, and what is shown of what they say.

use super::*;

/// What judges claims: the checks of the readers, and the host's rules.
pub(super) struct Judge<'o> {
    pub(super) options: &'o Options,
    pub(super) probed: Probed<'o>,
    /// See [`Asked`].
    pub(super) lost: bool,
    #[cfg(feature = "rules")]
    pub(super) met: crate::rules::Met<'o>,
}

impl<'o> Judge<'o> {
    pub(super) fn new(options: &'o Options, probed: Probed<'o>) -> Self {
        Judge {
            options,
            probed,
            lost: false,
            #[cfg(feature = "rules")]
            met: crate::rules::Met::new(&options.rules),
        }
    }

    /// What the calls of the turn say of a claim.
    pub(super) fn check_turn(&self, one: &Found, view: &View<'_, '_>) -> Support {
        #[cfg(feature = "rules")]
        if let Some(rule) = readers::rule_of(one) {
            return match self.met.call(rule, view.record(), &view.now()) {
                Ok(call) => Support::by(call),
                Err(near) => Support::Not(self.met.reason(rule), near),
            };
        }
        self.probed.weigh(one, view, (readers::form(one).check)(one, view))
    }

    /// What the record says of a claim. A recap tells of what earlier turns did: what would be flagged is asked again as if their
    /// calls had been made in this turn. A rule of the host knows by itself which calls count.
    pub(super) fn check(&self, one: &Found, view: &View<'_, '_>) -> Support {
        let support = self.check_turn(one, view);
        // What this turn's own record shows otherwise is newer than all that came before it.
        if !matches!(support, Support::Not(..)) || !readers::of_a_reader(one) {
            return support;
        }
        let Some(longer) = view.longer() else { return support };
        let wider = self.check_turn(one, longer);
        // An earlier call that only printed its error is no ground to leave what was told of this turn.
        let fell = matches!(wider, Support::By(Some(call), _) if view.facts(call).fell_at_once());
        if flags(&wider) || fell {
            support
        } else {
            wider
        }
    }

    /// The name of the reader that read a claim, or of the rule.
    pub(super) fn reader(&self, one: &Found) -> &'o str {
        #[cfg(feature = "rules")]
        if let Some(rule) = readers::rule_of(one).and_then(|rule| self.options.rules.get(rule)) {
            return rule.name();
        }
        readers::form(one).reader
    }
}

impl<'o> Judge<'o> {
    /// The clauses that a rule of the host read and supports. The host has said what counts there, so that no reader flags them.
    pub(super) fn vouched(&self, found: &[Settled], view: &View<'_, '_>) -> BTreeSet<usize> {
        let rules = found.iter().filter(|(one, _)| !readers::of_a_reader(one));
        let met = rules.filter(|(one, support)| {
            let support = support.clone().unwrap_or_else(|| self.check(one, view));
            matches!(support, Support::By(..))
        });
        crate::sort::set(met.filter_map(|(one, _)| one.clause))
    }

    /// What comes of a claim; nothing, where a reader flags a clause that a rule vouches for.
    pub(super) fn weigh(
        &self,
        one: &Found,
        settled: Option<Support>,
        vouched: &BTreeSet<usize>,
        view: &View<'_, '_>,
    ) -> Support {
        let support = settled.unwrap_or_else(|| self.check(one, view));
        let held = flags(&support) && readers::of_a_reader(one);
        if held && one.clause.is_some_and(|clause| vouched.contains(&clause)) {
            return Support::Leave;
        }
        support
    }

    /// Judges the claims of one reply: in each clause the first reader that flags speaks, else the first that read it.
    /// A clause for which a rule vouches is flagged by rules alone.
    pub(super) fn judge(&self, found: Vec<Settled>, view: &View<'_, '_>, part: usize) -> Option<Judged<'o>> {
        let found = sorted(found, |(a, _), (b, _)| (a.span, readers::rank(a)).cmp(&(b.span, readers::rank(b))));
        let reply = text(view.turn);
        let vouched = self.vouched(&found, view);
        let mut claims: Vec<(Found, Support)> = Vec::new();
        let mut flagged: BTreeMap<&'o str, usize> = BTreeMap::new();
        let mut read = 0;
        let mut rest = found.into_iter().peekable();
        while let Some(first) = rest.next() {
            let (clause, span) = (first.0.clause, first.0.span);
            let mut spoken: Option<(Found, Support)> = None;
            let mut next = Some(first);
            while let Some((one, support)) = next {
                let support = self.weigh(&one, support, &vouched, view);
                let better = match (&spoken, &support) {
                    (_, Support::Leave) => false,
                    (None, _) => true,
                    (Some((_, held)), support) => !flags(held) && flags(support),
                };
                if better {
                    spoken = Some((one, support));
                }
                next = rest.next_if(|(f, _)| f.clause == clause && f.span == span);
            }
            claims.extend(spoken);
        }
        // What is cited speaks last, so that the line names it only where nothing else was flagged.
        let cited = |(found, _): &(Found, Support)| self.reader(found) == "cited";
        let mut claims = sorted(join_lines(claims, &reply), |a, b| cited(a).cmp(&cited(b)));
        for (one, support) in &mut claims {
            read += 1;
            if flags(support) {
                if view.turn.gaps.none() && !(self.lost && matches!(support, Support::Not(..))) {
                    *flagged.entry(self.reader(one)).or_default() += 1;
                } else {
                    *support = Support::Cut(Vec::new());
                }
            }
        }
        let canaries = if view.turn.calls.is_some() { self.probed.shown(part) } else { Vec::new() };
        (read > 0 || !canaries.is_empty()).then(|| {
            let result = Verification { canaries, ..result(claims, view, self, &reply) };
            Judged { result, read, flagged }
        })
    }
}
