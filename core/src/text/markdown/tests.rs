use super::*;
use alloc::string::{String, ToString};

fn shape(source: &str) -> Vec<(Kind, usize, String)> {
    let document = parse(source);
    let text = |b: &Block| {
        let runs = document.runs.get(b.runs.clone()).unwrap_or(&[]);
        runs.iter().map(|r| r.span.of(source)).collect::<String>()
    };
    document.blocks.iter().map(|b| (b.kind, b.depth, text(b))).collect()
}

#[test]
fn an_items_own_text_stands_apart_from_its_nested_items() {
    let blocks = shape("- a\n  - b\n- c\n\n  d");
    let texts: Vec<_> = blocks.iter().map(|b| (b.1, b.2.as_str())).collect();
    assert_eq!(texts, [(1, "a"), (2, "b"), (1, "c"), (1, "d")]);
}

#[test]
fn a_header_row_is_marked_and_cells_are_parted_by_their_bars() {
    let blocks = shape("| A | B |\n|---|---|\n| `x|` | y |\n");
    assert_eq!(blocks[0].0, Kind::Row { header: true });
    assert_eq!(blocks[0].2, "A|B");
    assert_eq!(blocks[1].0, Kind::Row { header: false });
}

#[test]
fn a_fence_knows_its_body_and_its_info_string() {
    let source = "x\n\n```bash  \nls\n```\n";
    let blocks = parse(source).blocks;
    assert!(matches!(blocks[1].kind, Kind::Fence { body, info }
        if (body.of(source), info.of(source)) == ("ls\n", "bash")));
}

#[test]
fn struck_out_text_and_tags_are_left_out() {
    let blocks = shape("a ~~b~~ <b>c</b> <scratch>\n\n<details>\n<summary>d</summary>\n</details>\n");
    assert_eq!(blocks[0].2, "a  c <scratch>");
    assert_eq!(blocks[1].2.trim(), "d");
}

#[test]
fn an_open_task_is_told_from_a_ticked_one() {
    let tasks: Vec<_> = parse("- [ ] a\n- [x] b\n- c").blocks.iter().map(|b| b.task).collect();
    assert_eq!(tasks, [Some(false), Some(true), None]);
}

#[test]
fn a_line_that_opens_too_much_makes_the_text_plain() {
    let deep = ">".repeat(100) + " a\nb\n\nc";
    assert_eq!(shape(&deep).len(), 2);
    assert!(!too_deep(&"-".repeat(200)) && !too_deep(&" ".repeat(5000)) && !too_deep("1. - > a"));
    assert!(too_deep(&"- ".repeat(65)) && too_deep(&(" ".repeat(5000) + "a")));
}

#[test]
fn split_text_runs_are_joined() {
    let source = "snake_case_name [x] a*b";
    assert_eq!(parse(source).runs.len(), 1);
    assert_eq!(parse(source).runs[0].span.of(source).to_string(), source);
}
