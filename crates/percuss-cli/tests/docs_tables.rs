//! The rules by which `examples/docs_tables` compares the tables of the documents with the output of commands.

#[path = "../examples/docs_tables/check/mod.rs"]
mod check;

use check::compare::compare;
use check::document::{MarkdownDocument, blocks};
use check::output::select;

/// Whether a line of a document agrees with a printed one.
fn agrees(options: &str, old: &str, new: &str) -> bool {
    let text = format!("<!-- generated: percuss list | T{options} -->\n{old}\n<!-- end -->\n");
    compare(&blocks(&text).unwrap()[0], &format!("{new}\n")).is_ok()
}

#[test]
fn text_and_shape_must_be_equal() {
    assert!(agrees("", "| a  | **b** |", "| a | b |"));
    assert!(!agrees("", "| a | b |", "| a | c |"));
    assert!(!agrees("", "| RK4 | 1 |", "| RK5 | 1 |"));
    assert!(!agrees("", "| a | 1 |", "| a | 1 | 2 |"));
    assert!(!agrees("", "| a | 1 |", "| a | 1 |\n| b | 2 |"));
}

#[test]
fn numbers_agree_within_a_unit_and_two_per_cent() {
    assert!(agrees("", "| 0.0018 |", "| 0.0019 |"));
    assert!(!agrees("", "| 0.0018 |", "| 0.0020 |"));
    assert!(agrees("", "| 12.022 Hz |", "| 12.20 Hz |"));
    assert!(!agrees("", "| 12.022 Hz |", "| 12.40 Hz |"));
    assert!(agrees("", "| −0.71, 3 |", "| −0.72, 4 |"));
    assert!(!agrees("", "| −0.71 |", "| 0.71 |"));
    assert!(agrees("; within 20 %", "| 100.0 |", "| 119.0 |"));
    let row = "; within 1 %; b within 200 %";
    assert!(agrees(row, "| b | 0.02 |", "| b | 0.05 |") && !agrees(row, "| a | 0.02 |", "| a | 0.05 |"));
    assert!(agrees(row, "  b  0.02 N", "  b  0.05 N") && !agrees(row, "  a  0.02 N", "  a  0.05 N"));
}

#[test]
fn errors_of_rounding_may_fall_and_grow_tenfold() {
    assert!(agrees("", "| 3.1e-14 |", "| 2.9e-13 |") && agrees("", "| 3.1e-14 |", "| 1.0e-16 |"));
    assert!(!agrees("", "| 3.1e-14 |", "| 4.0e-13 |"));
    assert!(agrees("", "| 3.1e-14 |", "| 0 |") && agrees("", "| 0 |", "| 2e-17 |"));
    assert!(!agrees("", "| 0 |", "| 2e-9 |") && !agrees("", "| 0.5 |", "| 0 |"));
}

#[test]
fn tables_are_found_by_heading_and_lines_by_their_start() {
    let printed =
        "### A\n\nnote\n\n| a |\n|---|\n| 1 |\n\n### B\n\n| b |\n|---|\ntest x ... ok\n  from 1\n  2\n  to 3\n";
    assert_eq!(select(printed, "A").unwrap(), "| a |\n|---|\n| 1 |\n");
    assert_eq!(select(printed, "B").unwrap(), "| b |\n|---|\n");
    assert_eq!(select(printed, "lines from to to").unwrap(), "```text\n  from 1\n  2\n  to 3\n```\n");
    assert!(select(printed, "C").is_none() && select(printed, "lines from to 4").is_none());
}

#[test]
fn update_changes_only_the_lines_between_the_comments() {
    let text = "a\n<!-- generated: percuss bench --markdown | T; timings -->\nold\n<!-- end -->\nb\n";
    let found = blocks(text).unwrap();
    assert!(found[0].timings && found[0].command == "percuss bench --markdown" && found[0].line == 2);
    let mut document = MarkdownDocument::new(text);
    document.replace(&found[0], "new\nrow\n");
    assert_eq!(document.text(), text.replace("old", "new\nrow"));
}

#[test]
fn malformed_comments_are_rejected_with_their_line() {
    for (text, message) in [
        ("<!-- generated: percuss list -->\n<!-- end -->", "1: `| TABLE` is missing"),
        ("a\n<!-- generated: percuss list | T -->\n", "2: the block is not closed"),
        ("<!-- end -->", "1: no block is open"),
        ("<!-- generated: percuss list | T; often -->\n<!-- end -->", "1: `often` is not an option"),
    ] {
        assert!(blocks(text).unwrap_err().starts_with(message), "{text}: {:?}", blocks(text));
    }
}
