//! Whether a statement only reads, told from its words before any database sees it.
//!
//! The text is cut as SQLite cuts it, so that `' delete '` in a literal is text and a `DELETE` behind a line break is a word. The
//! host's own guards (read-only, authoriser, deadline) stand behind this one.

use alloc::format;
use alloc::string::String;

/// Words of statements that write, or that change what the connection may do.
const STATEMENTS: &[&str] = &[
    "ALTER",
    "ANALYZE",
    "ATTACH",
    "BEGIN",
    "COMMIT",
    "CREATE",
    "DELETE",
    "DETACH",
    "DROP",
    "INSERT",
    "PRAGMA",
    "REINDEX",
    "RELEASE",
    "ROLLBACK",
    "SAVEPOINT",
    "UPDATE",
    "VACUUM",
];

/// Functions that reach outside the database. SQLite calls a function by its quoted name too.
const FUNCTIONS: &[&str] = &["EDIT", "FTS3_TOKENIZER", "LOAD_EXTENSION", "READFILE", "WRITEFILE"];

/// Refuses what is not one reading statement.
pub(crate) fn guard(sql: &str) -> Result<(), String> {
    let mut tokens = Tokens { text: sql, at: 0 }.peekable();
    match tokens.next().transpose()? {
        Some(Token::Word(word)) if is_one_of(word, &["SELECT", "WITH", "VALUES"]) => {}
        _ => return Err("a query starts with SELECT, WITH or VALUES".into()),
    }
    let mut ended = false;
    while let Some(token) = tokens.next().transpose()? {
        let called = matches!(tokens.peek(), Some(Ok(Token::Other('('))));
        match token {
            // An empty statement is one too: drivers refuse it.
            _ if ended => return Err("a query is one statement".into()),
            Token::Other(';') => ended = true,
            Token::Word(word) if is_one_of(word, STATEMENTS) || (!called && is_one_of(word, &["REPLACE"])) => {
                return Err(format!(
                    "{} is no word of a query; a column of that name stands in double quotes",
                    shown(word)
                ));
            }
            Token::Word(name) | Token::Quoted(name) if called && is_one_of(name, FUNCTIONS) => {
                return Err(format!("the function {} reaches outside the database", shown(name)));
            }
            // SQLite takes all up to the closing parenthesis, quotes too, for the name of the parameter.
            Token::Parameter if called => return Err("a parameter is not followed by a parenthesis".into()),
            _ => {}
        }
    }
    Ok(())
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|listed| word.eq_ignore_ascii_case(listed))
}

/// The words of the lists are short; this only keeps the sentence in capitals.
fn shown(word: &str) -> String {
    word.to_ascii_uppercase()
}

enum Token<'a> {
    /// A name or keyword without quotes.
    Word(&'a str),
    /// A name in double quotes, backticks or brackets. A doubled quote inside stays doubled: no listed name has one.
    Quoted(&'a str),
    /// A string.
    Literal,
    /// `?1`, `:a`, `@a`, `$a`.
    Parameter,
    /// A number.
    Number,
    /// One sign.
    Other(char),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Steps over the longest start of the rest whose characters all answer yes, and gives it.
    fn take(&mut self, yes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = rest.get(..rest.find(|c| !yes(c)).unwrap_or(rest.len())).unwrap_or_default();
        self.at += taken.len();
        taken
    }

    /// Steps over white space and comments. A comment that is not closed ends with the text.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let length = if rest.starts_with("--") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                // The star that opens a comment does not close it.
                rest.get(2..).and_then(|inside| inside.find("*/")).map_or(rest.len(), |end| end + 4)
            } else {
                rest.find(|c| !is_space(c)).unwrap_or(rest.len())
            };
            if length == 0 {
                return;
            }
            self.at += length;
        }
    }

    /// Reads what stands between quotes, of which a doubled one is part of the text; a bracket has no doubled form.
    fn quoted(&mut self, close: char) -> Result<&'a str, String> {
        self.at += 1;
        let start = self.at;
        loop {
            self.take(|c| c != close);
            let end = self.at;
            if self.rest().is_empty() {
                return Err(format!("a {close} is missing at the end of what it closes"));
            }
            self.at += 1;
            if close != ']' && self.rest().starts_with(close) {
                self.at += 1;
                continue;
            }
            return Ok(self.text.get(start..end).unwrap_or_default());
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.space();
        let first = self.rest().chars().next()?;
        Some(Ok(match first {
            // The database stops reading there, this would not.
            '\0' => return Some(Err("a query has no NUL".into())),
            '\'' => match self.quoted('\'') {
                Ok(_) => Token::Literal,
                Err(message) => return Some(Err(message)),
            },
            '"' | '`' | '[' => match self.quoted(if first == '[' { ']' } else { first }) {
                Ok(name) => Token::Quoted(name),
                Err(message) => return Some(Err(message)),
            },
            '?' | ':' | '@' | '$' | '#' => {
                self.at += 1;
                self.take(|c| is_word(c) || c == ':');
                Token::Parameter
            }
            '0'..='9' => {
                self.take(|c| is_word(c) || c == '.');
                Token::Number
            }
            c if is_word(c) => Token::Word(self.take(is_word)),
            c => {
                self.at += c.len_utf8();
                Token::Other(c)
            }
        }))
    }
}

/// SQLite's own white space, with the mark of byte order that it also steps over.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{feff}')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_passes() {
        let queries = [
            "SELECT total FROM orders WHERE id = ?",
            "select 1;",
            "select 1; -- done\n ",
            "-- first\n/* then */ SELECT 1",
            "VALUES(1)",
            "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<9) SELECT i FROM n",
            "SELECT ' delete '",
            "SELECT 'a;b'",
            "SELECT 'it''s; DROP TABLE t'",
            "SELECT replace(a,'x','y') FROM t",
            "SELECT replace /* a */ (a,'x','y') FROM t",
            "SELECT \"delete\", [drop], `update` FROM t",
            "SELECT deleted, updated_at, create_time, drop_ FROM t",
            "SELECT edit FROM wiki",
            "SELECT a /* DELETE */ FROM t -- DROP",
            "SELECT :delete, @update, $drop, ?1",
            "SELECT 1e5, 0xff, 1.5, x'00' FROM \"naïve table\"",
            "\u{feff}SELECT 1",
            "SELECT /*/ DELETE /*/ 1",
            "SELECT 'délète' AS löschen",
        ];
        for query in queries {
            assert_eq!(guard(query), Ok(()), "{query}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let queries = [
            "",
            ";",
            "SELECT 1;;",
            "-- SELECT 1",
            "(SELECT 1)",
            "EXPLAIN SELECT 1",
            "DELETE FROM t",
            "SELECT 1; DROP TABLE t",
            "SELECT 1; SELECT 2",
            "PRAGMA journal_mode",
            "WITH a AS (SELECT 1)\nDELETE FROM t",
            "WITH a AS (SELECT 1)\tINSERT INTO t SELECT * FROM a",
            "WITH a AS (SELECT 1) REPLACE INTO t VALUES (1)",
            "WITH a AS (SELECT 1) replace/**/INTO t VALUES (1)",
            "WITH a AS (SELECT 1)/**/dElEtE/**/FROM t",
            "SELECT 1;\u{feff}DELETE FROM t",
            "SELECT 1/*/;DELETE FROM t;/**/;DELETE FROM t",
            "SELECT begin FROM t",
            "ATTACH 'a' AS b",
            "SELECT load_extension('x')",
            "SELECT \"load_extension\" ('x')",
            "SELECT [writefile]('x', 'y')",
            "SELECT readfile/**/('x')",
            "SELECT fts3_tokenizer('x')",
            "SELECT `edit`('x')",
            "SELECT 'open",
            "SELECT \"open",
            "SELECT [open",
            "SELECT 1\0; DELETE FROM t",
            // What looks like the start of a string is the end of a parameter's name.
            "SELECT $a('); DELETE FROM t; --')",
            "SELECT :a('); DELETE FROM t; --')",
            "SELECT $a::b(\"); DELETE FROM t; --\")",
        ];
        for query in queries {
            assert!(guard(query).is_err(), "{query}");
        }
    }

    #[test]
    fn a_million_signs_take_no_time() {
        for part in ["(", "'a'", "-", "/*", "/**/", "[", "''", "\"", "a ", ";", "?"] {
            let _ = guard(&format!("SELECT {}", part.repeat(1_000_000)));
        }
    }
}
