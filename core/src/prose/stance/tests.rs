use super::super::{lexicon, Prose, Stance};
use super::govern;
use alloc::vec::Vec;

/// The stance at a word of a reply.
fn at(reply: &str, word: &str) -> Option<Stance> {
    let prose = Prose::read(reply);
    let token = prose.tokens.iter().position(|t| t.text == word)?;
    let clause = prose.clause_of(token)?;
    Some(prose.governed(clause, token))
}

fn all(cases: &[(&str, &str)], stance: Stance) {
    let found = cases.iter().map(|(reply, word)| (*reply, *word, at(reply, word)));
    let wrong: Vec<_> = found.filter(|(_, _, found)| *found != Some(stance)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_was_done_or_seen_is_asserted() {
    all(
        &[
            ("Removed the scratch file.", "removed"),
            ("I ran the tests and pushed the branch.", "pushed"),
            ("`make` ended with exit status 0, and all tests passed.", "passed"),
            ("The log confirms that the file was removed.", "removed"),
            ("As you can see, all tests passed.", "passed"),
            ("I can confirm that the file was deleted.", "deleted"),
            ("I should note that two tests failed.", "failed"),
            ("All tests passed, which should help.", "passed"),
            ("The findings follow, so that you can compare them.", "follow"),
            ("I managed to delete the branch.", "delete"),
            ("I used a script to clean up; the file was removed.", "removed"),
            ("To be sure, I ran `make`.", "ran"),
            ("The notification was delivered without delay.", "delivered"),
            ("Not only did it build, it passed.", "passed"),
            ("The fish are no longer fed twice.", "fed"),
            ("No errors, all tests passed.", "passed"),
            ("No, the tests passed.", "passed"),
            ("Ran without errors and passed all tests.", "passed"),
            ("When I ran it, 3 tests failed.", "failed"),
            ("Once the build finished, I pushed the branch.", "pushed"),
            ("I found no matches.", "found"),
            ("Note that the branch was pushed.", "pushed"),
            ("I tried to delete it and then pushed the branch.", "pushed"),
            ("It was not removed because the tests failed.", "failed"),
            ("The sub-agent reported that 12 tests passed.", "passed"),
            ("You approved the change.", "approved"),
            ("I checked if it exists and removed the file.", "removed"),
            ("I verified the file exists, then deleted it.", "deleted"),
            ("The attempt to read the key file was **blocked** by the sandbox.", "blocked"),
            ("312 rows without a postcode were dropped.", "dropped"),
            ("The agent confirmed that no visa is needed.", "confirmed"),
            ("I read it from cover to cover.", "read"),
            ("It was sent on 3 May at noon, and it was read.", "read"),
            ("To summarize, I removed the file.", "removed"),
            ("It was closed with the reason \"no longer needed.\" The file was removed.", "removed"),
            ("I verified that no data was lost and that the backup was restored.", "restored"),
            ("Before deleting the branch I pushed it.", "pushed"),
            ("I am happy to report that all tests passed.", "passed"),
            ("Before that I executed `make`.", "executed"),
            ("`sudo ls` was denied by the policy before it could start.", "denied"),
            ("Rather than deleting the file I renamed it.", "renamed"),
            ("Cleanup: listed right after the last read, scratch file deleted.", "deleted"),
            ("As you asked, I removed the file.", "removed"),
            ("**Cleanup**: the scratch file was removed.", "removed"),
            ("After running the tests, I pushed the branch.", "running"),
        ],
        Stance::Asserts,
    );
}

#[test]
fn plans_and_offers_claim_nothing() {
    all(
        &[
            ("I will run the tests and push.", "push"),
            ("The scratch file will be removed.", "removed"),
            ("Step 6 should be denied by the policy; if it is not, that is a finding.", "denied"),
            ("The mail could be sent tomorrow.", "sent"),
            ("I'll have removed it by then.", "removed"),
            ("Merging would have removed 17 records.", "removed"),
            ("Let me run the tests.", "run"),
            ("Let's verify if the issue is fixed.", "fixed"),
            ("The file is to be removed.", "removed"),
            ("I made a copy before deleting the folder.", "deleting"),
            ("I can send a notification again.", "send"),
            ("The 12 tests would pass.", "tests"),
            ("I recommend running the tests.", "running"),
            ("Next: push the branch.", "push"),
            ("- [ ] tests passed", "passed"),
            ("Option 1 keeps the existing tests passing.", "passing"),
            ("I'm going to delete the branch.", "delete"),
            ("I am running the tests now.", "running"),
        ],
        Stance::Plans,
    );
}

#[test]
fn orders_and_advice_claim_nothing() {
    all(
        &[
            ("Run `make test` to see it.", "run"),
            ("Please run the tests.", "run"),
            ("Please confirm that the file was deleted.", "deleted"),
            ("Make sure the tests passed.", "passed"),
            ("Check the logs and delete the branch.", "delete"),
            ("Do not delete the branch.", "delete"),
            ("**Setup**: install the package.", "install"),
        ],
        Stance::Instructs,
    );
}

#[test]
fn conditions_and_definitions_claim_nothing() {
    all(
        &[
            ("If it fails, the file was removed.", "removed"),
            ("Once you confirm, the money is sent.", "sent"),
            ("If all tests pass we can ship.", "pass"),
            ("All tests pass if you set the variable.", "pass"),
            ("Exit code 2 means that no file was found.", "exit"),
            ("In case the build exits with 1, stop.", "exits"),
            ("It returns an error when the file is removed.", "returns"),
            ("The guide itself is never edited.", "edited"),
            ("Transfers usually arrive on the same day.", "arrive"),
            ("The tests probably passed.", "passed"),
            ("I checked whether the branch was deleted.", "deleted"),
            ("Should the check fail, the old image is deployed.", "deployed"),
            ("Once cancelled, the order is refunded.", "refunded"),
            ("Once a return or exchange has been initiated, it is sent.", "sent"),
            ("Fixed the bug where the file was deleted twice.", "deleted"),
            ("Fixed an issue that kept mails from being sent.", "sent"),
            ("The problem was that the file was removed.", "removed"),
            ("Added a test that checks that the file is removed.", "removed"),
            ("This change ensures that the file is deleted and the lock is removed.", "removed"),
            ("The email gets sent when the user signs up.", "sent"),
            ("After all tests pass, the branch gets deleted.", "deleted"),
            ("Suppose the file was deleted.", "deleted"),
            ("I stopped before the files were deleted.", "deleted"),
            ("In the dry run 3 files were removed.", "removed"),
            ("It appears that the order was updated.", "updated"),
            ("As soon as you approve, it is deployed.", "deployed"),
        ],
        Stance::Supposes,
    );
}

#[test]
fn what_was_not_done_is_denied() {
    all(
        &[
            ("No tests were run.", "run"),
            ("I did not delete it and pushed nothing.", "delete"),
            ("I did not delete it and pushed nothing.", "pushed"),
            ("The log file was not removed.", "removed"),
            ("It was never deleted.", "deleted"),
            ("I couldn't send the mail.", "send"),
            ("I was unable to delete the branch.", "delete"),
            ("The script failed to remove the file.", "remove"),
            ("I moved it instead of deleting it.", "deleting"),
            ("I moved it without deleting the copy.", "deleting"),
            ("I changed no files.", "changed"),
            ("I almost deleted the file.", "deleted"),
            ("I could not run it here: it is gone.", "run"),
            ("I skipped running the tests.", "running"),
            ("Nothing was pushed.", "pushed"),
            ("I have not started the test suite.", "started"),
            ("Neither was sent.", "sent"),
            ("I did not run or push anything.", "push"),
            ("The retry path hasn’t been executed.", "executed"),
            ("It has yet to be deployed.", "deployed"),
        ],
        Stance::Denies,
    );
}

#[test]
fn the_words_and_acts_of_others_are_quotes() {
    all(
        &[
            ("> all 318 checks passed", "passed"),
            ("The README says that all tests passed.", "passed"),
            ("You wrote that it was pushed at two.", "pushed"),
            ("What you wrote (\"it was pushed at two\") is right.", "pushed"),
            ("You deleted the branch.", "deleted"),
            ("The previous agent removed the file.", "removed"),
            ("The user pushed the branch.", "pushed"),
            ("The branch was pushed by your teammate.", "pushed"),
            ("A first run had failed.", "failed"),
            ("It has already been refunded.", "refunded"),
            ("T-9 was closed by the duty manager.", "closed"),
            ("According to the log file, it was deleted.", "deleted"),
            ("The stray file deleted in the turn before has not come back.", "deleted"),
        ],
        Stance::Quotes,
    );
}

#[test]
fn questions_ask() {
    all(&[("Do you want me to delete it?", "delete"), ("Was it deleted? No.", "deleted")], Stance::Asks);
}

#[test]
fn a_list_takes_the_stance_of_what_stands_before_it() {
    for lead in [
        "I will:\n\n",
        "## Next steps\n\n",
        "You can:\n",
        "**What I suggest**\n\n",
        "## How to run it\n\n",
        "Usage:\n",
        "Options:\n\n",
        "If you like, I can do one of these instead:\n",
        "Which one do you prefer?\n",
    ] {
        let reply = alloc::format!("{lead}- file removed\n");
        assert_ne!(at(&reply, "removed"), Some(Stance::Asserts), "{lead}");
    }
    for lead in [
        "What I did:\n\n",
        "## Summary\n\n",
        "Steps performed:\n",
        "To summarize the changes we've made:\n",
        "Both of your pending orders have been cancelled:\n",
        "## Todo App Complete\n\n",
        "# Plan Execution Summary\n\n",
        "Done:\n",
    ] {
        let reply = alloc::format!("{lead}- file removed\n");
        assert_eq!(at(&reply, "removed"), Some(Stance::Asserts), "{lead}");
    }
    assert_eq!(at("Not done:\n\n- file removed\n", "removed"), Some(Stance::Denies));
    assert_eq!(at("Done:\n\n- Read the file\n", "read"), Some(Stance::Asserts));
    assert_eq!(at("- Read the file\n", "read"), Some(Stance::Instructs));
}

#[test]
fn a_plan_ends_with_its_list_or_section() {
    assert_eq!(at("I will:\n\n- a\n- b\n\nThe file was removed.", "removed"), Some(Stance::Asserts));
    assert_eq!(at("## Next steps\n\n- a\n\n## Results\n\nThe file was removed.", "removed"), Some(Stance::Asserts));
    assert_eq!(at("## Next steps\n\n### Files\n\nThe file removed.", "removed"), Some(Stance::Plans));
}

#[test]
fn cells_do_not_govern_each_other() {
    let table = "| Step | Result |\n|---|---|\n| not run | tests passed |\n";
    assert_eq!(at(table, "passed"), Some(Stance::Asserts));
    assert_eq!(at("| Still to do | Note |\n|---|---|\n| x | tests passed |\n", "passed"), Some(Stance::Plans));
}

/// The words that a source text compares `word` with: `"a" | "b" if …`, `matches!(word, "a" | "b")`, `word == "a"`.
fn named(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in source.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let arm = line.starts_with('"') || line.starts_with("| \"");
        let head = line.split(" if ").next().and_then(|head| head.split("=>").next());
        found.extend(head.filter(|_| arm).into_iter().flat_map(quoted));
        let listed = line.split("matches!(word, ").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(listed.flat_map(quoted));
        let compared = line.split("word == ").skip(1).filter_map(|rest| rest.split([' ', ')']).next());
        found.extend(compared.flat_map(quoted));
    }
    found
}

fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

#[test]
fn each_word_that_a_governor_names_is_in_its_list() {
    let mut count = 0;
    for source in [include_str!("govern.rs"), include_str!("others.rs")] {
        for function in source.split("fn ").skip(1) {
            let classes = match function.split('(').next().unwrap_or("") {
                "resume" => lexicon::RESUMES,
                "modal" => lexicon::PLANS,
                "denial" | "negated" | "negative" => lexicon::DENIES,
                "condition" => lexicon::CONDITIONS,
                "purpose" => lexicon::PURPOSES,
                "general" => lexicon::DEFINES,
                "telling" | "others" => lexicon::QUOTES,
                _ => 0,
            };
            let body = function.split("\n    }\n").next().unwrap_or("");
            for word in named(body) {
                assert!(lexicon::classify(word) & classes != 0, "{word} in {body}");
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count} words were seen");
    for word in govern::FAULTS {
        assert!(lexicon::classify(word) & lexicon::PURPOSES != 0, "{word}");
    }
}

#[test]
fn each_word_that_joins_clauses_is_in_its_list() {
    let source = include_str!("../stance.rs");
    let conjunction = source.split("fn conjunction").nth(1).and_then(|rest| rest.split("\n    }\n").next());
    let words = named(conjunction.unwrap_or(""));
    assert!(words.len() > 8);
    assert!(words.iter().all(|word| lexicon::classify(word) & lexicon::JOINTS != 0));
    let source = include_str!("../clause.rs");
    let cuts = source.split("fn cuts").nth(1).and_then(|rest| rest.split("\n}\n").next()).unwrap_or("");
    let arms = cuts.lines().filter_map(|line| line.trim().strip_prefix("(_, ")?.split(')').next());
    let words: Vec<&str> = arms.flat_map(quoted).collect();
    assert!(words.len() > 8);
    assert!(words.iter().all(|word| lexicon::classify(word) & lexicon::JOINTS != 0));
}
