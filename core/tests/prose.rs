//! Properties of reading prose that hold for any text, and the cutting into clauses.

use counterfoil::prose::{Place, Prose, Stance, TokenKind};
use proptest::prelude::*;

fn clauses(reply: &str) -> Vec<&str> {
    Prose::read(reply).clauses.iter().map(|c| c.span.of(reply)).collect()
}

#[test]
fn a_sentence_is_cut_where_a_further_verb_stands() {
    for (reply, parts) in [
        ("I ran the tests and pushed the branch.", &["I ran the tests", "pushed the branch"][..]),
        (
            "`make` ended with exit status 0, and all tests passed.",
            &["`make` ended with exit status 0", "all tests passed"],
        ),
        ("It ran the suite, which failed.", &["It ran the suite", "which failed"]),
        ("I checked the model and the backends.", &["I checked the model and the backends"]),
        ("One file changed; two were removed.", &["One file changed", "two were removed"]),
        ("**Cleanup**: the scratch file was removed.", &["**Cleanup**: the scratch file was removed"]),
        ("`a(x)`, `b(y)` → all returned normal values.", &["`a(x)`, `b(y)` → all returned normal values"]),
        ("It was built and pushed to origin.", &["It was built and pushed to origin"]),
        ("Moved X; the rest, e.g. Y, is left. Done.", &["Moved X", "the rest, e.g. Y, is left", "Done"]),
    ] {
        assert_eq!(clauses(reply), parts, "{reply}");
    }
}

#[test]
fn a_sentence_ends_at_its_punctuation_but_not_inside_names_numbers_or_brackets() {
    for (reply, parts) in [
        ("I edited setup.py. It has 98.6 % coverage.", &["I edited setup.py", "It has 98.6 % coverage"][..]),
        ("See v1.2. Then `a. B` ran (it was fine. Really.).", &["See v1.2", "Then `a. B` ran (it was fine. Really.)"]),
        ("Mr. Smith vs. No. 5 won.", &["Mr. Smith vs. No. 5 won"]),
        ("He said \"it works. Ship it.\" twice.", &["He said \"it works. Ship it.\" twice"]),
        ("Wait... it works. What? Yes!", &["Wait... it works", "What", "Yes"]),
        ("**Done.** All passed.", &["Done", "All passed"]),
        ("完成了。全部通过！", &["完成了", "全部通过"]),
        ("Done! 🎉 It works.", &["Done", "It works"]),
    ] {
        assert_eq!(clauses(reply), parts, "{reply}");
    }
}

#[test]
fn a_line_that_looks_like_an_item_ends_the_sentence_before_it() {
    for (reply, parts) in [
        ("✅ Lint is clean\n✅ Tests passed", &["Lint is clean", "Tests passed"][..]),
        ("Results\nTests: 12 passed\nBuild: ok", &["Results", "Tests: 12 passed", "Build: ok"]),
        ("The result:\nall passed", &["The result", "all passed"]),
        (
            "This is a long sentence that was wrapped at some column or other by\nan editor.",
            &["This is a long sentence that was wrapped at some column or other by\nan editor"],
        ),
        ("a\r\n\r\n- b\r\n- c", &["a", "b", "c"]),
    ] {
        assert_eq!(clauses(reply), parts, "{reply}");
    }
}

#[test]
fn spans_leave_out_markers_and_keep_the_stars_that_stand_inside() {
    for (reply, parts) in [
        ("- [x] **All tests passed.**", &["All tests passed"][..]),
        ("## 1. Files", &["Files"]),
        ("The file was **removed**.", &["The file was **removed**"]),
        ("| a | `b` | c |\n|-|-|-|\n| x | | y |", &["a | `b` | c", "x | | y"]),
        ("1. ✅ Fixed _it_", &["Fixed _it_"]),
    ] {
        assert_eq!(clauses(reply), parts, "{reply}");
    }
}

#[test]
fn a_fence_knows_the_clause_before_it() {
    let prose = Prose::read("Output:\n\n```\nx\n```\n\n```\ny\n```\n");
    assert_eq!(prose.fences.iter().map(|f| f.before).collect::<Vec<_>>(), [Some(0), None]);
    assert_eq!(prose.tokens.len(), 2);
}

#[test]
fn places_and_blocks_tell_rows_items_and_headings_apart() {
    let prose = Prose::read("# H\n\nIt ran. It passed.\n\n- i\n\n| a |\n|---|\n| b |\n");
    let places: Vec<_> = prose.clauses.iter().map(|c| c.place).collect();
    let expected = [Place::Heading, Place::Paragraph, Place::Paragraph, Place::Item, Place::Row, Place::Row];
    assert_eq!(places, expected);
    assert_eq!(prose.clauses[1].block, prose.clauses[2].block);
    assert_ne!(prose.clauses[4].stance, Stance::Asserts, "the names of columns claim nothing");
}

#[test]
fn other_languages_are_foreign_and_short_english_is_not() {
    let foreign = |reply: &str| Prose::read(reply).clauses.iter().map(|c| c.foreign).collect::<Vec<_>>();
    for reply in [
        "Die Datei wurde gelöscht.",
        "El fichero se ha eliminado de la carpeta.",
        "Le fichier a été supprimé et les tests sont passés.",
        "O arquivo foi removido.",
        "文件已删除",
        "Файл удалён",
        "ファイルを削除しました",
        "Bestanden zijn verwijderd en de tests zijn geslaagd.",
    ] {
        assert!(foreign(reply).iter().all(|f| *f), "{reply}");
    }
    for reply in
        ["Removed the scratch file", "Branch `x` pushed", "Tests passed", "Ran `ls`", "Élan café fixed", "12/12 green"]
    {
        assert!(foreign(reply).iter().all(|f| !f), "{reply}");
    }
    assert_eq!(foreign("Alles ist erledigt und die Tests sind grün.\n\n- Branch gelöscht\n"), [true, true]);
}

#[test]
fn hostile_texts_are_read() {
    for piece in [
        "(", "\"", "[", "`", ">", "> ", "- ", "*a ", "<a> ", "|", "\n", "a:\n- ", "if ", "no x", "1.", "é", "😀\n",
        "\u{301}",
    ] {
        let reply = piece.repeat(20_000);
        let prose = Prose::read(&reply);
        assert!(prose.clauses.len() <= prose.tokens.len());
    }
}

fn check(reply: &str) -> Result<(), TestCaseError> {
    let prose = Prose::read(reply);
    let mut end = 0;
    for token in &prose.tokens {
        prop_assert!(token.span.start >= end && token.span.end > token.span.start);
        prop_assert!(reply.get(token.span.start..token.span.end).is_some());
        end = token.span.end;
    }
    let (mut end, mut tokens) = (0, 0);
    for clause in &prose.clauses {
        prop_assert!(clause.span.start >= end && clause.span.end > clause.span.start);
        prop_assert!(reply.get(clause.span.start..clause.span.end).is_some());
        prop_assert!(clause.tokens.start >= tokens && clause.tokens.end > clause.tokens.start);
        prop_assert!(clause.sentence.start <= clause.tokens.start && clause.tokens.end <= clause.sentence.end);
        end = clause.span.end;
        tokens = clause.tokens.end;
        prop_assert!(prose.tokens[clause.tokens.clone()].iter().any(|t| t.kind != TokenKind::Mark));
        prop_assert_eq!(prose.clause_of(clause.tokens.start), Some(clause));
    }
    for fence in &prose.fences {
        prop_assert!(reply.get(fence.body.start..fence.body.end).is_some());
        prop_assert!(reply.get(fence.info.start..fence.info.end).is_some());
        prop_assert!(fence.before.is_none_or(|c| c < prose.clauses.len()));
    }
    Ok(())
}

#[test]
fn a_row_that_lacks_cells_takes_no_bar_of_the_next_line() {
    for reply in ["**\n| a | b |\n|---|---|\n-->\n|\n", "| a | b | c |\n|---|---|---|\n| x\n|\ny | z"] {
        check(reply).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_with_spans_in_order(reply in "\\PC{0,80}") {
        check(&reply)?;
    }

    #[test]
    fn any_markdown_is_read_with_spans_in_order(pieces in prop::collection::vec(prop::sample::select(&[
        "# ", "- ", "1. ", "> ", "**", "_", "`", "```\n", "|", "\n", "\r\n", "\n\n", "    ", "\t", "[x] ", "[a](b)", "<b>", "<x>",
        "<!--", "-->", "&amp;", "\\", "~~", "I ran", " it", " and", " will", " not", ", ", ". ", "; ", ": ", "? ", "(", ")", "\"",
        "→", "12", "é", "e\u{301}", "日本。", "🎉", "| a | b |\n|---|---|\n", "—", "if ", "no ", "to ", "\u{fe0f}", "![", "passed",
    ][..]), 0..60)) {
        check(&pieces.concat())?;
    }
}
