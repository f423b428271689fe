//! Gemini: contents, requests, responses and the chunks of a stream.
//!
//! Calls often have no id here: a result then goes to the first pending call of its name. What the provider's own tools did
//! is mostly left out of the contents, so that a conversation that offers them is incomplete.

mod parts;

use super::build::{Answer, Builder};
use super::calls::client;
use super::detect::{Format, FormatInfo, Hint};
use super::notes::Notes;
use super::value::{
    at, flag, has, items, leaves, list, listed, object, take, take_id, take_items, take_list, take_string, take_text,
    text,
};
use crate::record::{Call, Executor, Session};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use parts::{either, executed, words, Streamed, GROUNDS};
use serde_json::{Map, Value};

pub(super) use parts::{answer, judged};

pub(super) const FORMAT: Format = Format {
    info: FormatInfo { name: "gemini", about: "Gemini: contents, requests, responses, streamed chunks" },
    sniff,
    read,
};

/// What a part is, as the API writes it and as the Python SDK does.
const PARTS: [(&str, &str); 8] = [
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
    ("toolCall", "tool_call"),
    ("toolResponse", "tool_response"),
    ("inlineData", "inline_data"),
    ("fileData", "file_data"),
];

/// The provider's tool that runs code: its calls and results are parts.
const CODE: &str = "code_execution";

/// So many calls of the provider without a result are kept.
const AT_ONCE: usize = 64;

fn sniff(value: &Value) -> Option<Hint> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        object if answers(object) => return Some(Hint::certain("candidates")),
        object => items(object, &["contents", "history"]),
    };
    if items.iter().any(|item| answers(item) || list(item, "response").iter().any(answers)) {
        return Some(Hint::certain("candidates"));
    }
    let mut plain = false;
    for item in items.iter().filter(|item| !has(item, "kind")) {
        // A list of anything may have parts; the content of a request alone needs no role.
        let spoken = has(value, "contents") || matches!(text(item, "role"), "user" | "model");
        for part in list(item, "parts") {
            if let Some((key, _)) = PARTS.into_iter().find(|(a, b)| has(part, a) || has(part, b)) {
                return Some(Hint::certain(key));
            }
            // Other formats have parts too, but each of those says what it is.
            plain |= spoken && part.get("text").is_some_and(Value::is_string) && !has(part, "type");
        }
    }
    plain.then(|| Hint::likely("parts"))
}

/// Whether a response holds candidates of this API; others list candidates of their own.
fn answers(value: &Value) -> bool {
    let ended = |one: &Value| ["finishReason", "finish_reason", "safetyRatings"].iter().any(|key| has(one, key));
    let content = |one: &Value| one.get("content").is_some_and(|content| has(content, "parts") || has(content, "role"));
    list(value, "candidates").iter().any(|one| content(one) || ended(one))
}

fn read(mut value: Value, notes: &mut Notes) -> Session {
    let mut reader = Reader::default();
    let items = match value {
        Value::Array(items) => items,
        ref mut object if has(object, "contents") || has(object, "history") => {
            reader.offered(object);
            let mut config = take(object, "config");
            reader.offered(&mut config);
            listed(either(object, ("contents", "history")))
        }
        mut other => {
            // A response of the Python SDK brings what it was asked, and the calls that the SDK itself ran for it.
            let asked = ("automaticFunctionCallingHistory", "automatic_function_calling_history");
            let mut items = match either(&mut other, asked) {
                Value::Array(items) => items,
                _ => Vec::new(),
            };
            items.push(other);
            items
        }
    };
    for (i, item) in items.into_iter().enumerate() {
        reader.item(item, i, notes);
    }
    reader.close(notes);
    reader.build.finish(notes)
}

#[derive(Default)]
struct Reader {
    build: Builder,
    /// Under which key texts are joined: the number of the message, so that the chunks of one are one text.
    message: usize,
    /// A call that comes in pieces.
    streamed: Option<Streamed>,
    /// The provider's calls of this message that have no result yet: the id, or the name where there is none.
    served: Vec<String>,
}

impl Reader {
    /// The system prompt and the tools on offer.
    fn offered(&mut self, object: &mut Value) {
        if let Some(system) = words(either(object, ("systemInstruction", "system_instruction"))) {
            self.build.system.push(system);
        }
        let Value::Array(tools) = take(object, "tools") else { return };
        let names = self.build.tools.get_or_insert_default();
        let mut unseen = false;
        for mut tool in tools {
            for declared in ["functionDeclarations", "function_declarations"] {
                let declared = take_list(&mut tool, declared);
                names.extend(declared.into_iter().filter_map(|mut one| take_text(&mut one, "name")));
            }
            let Value::Object(own) = tool else { continue };
            for key in own.into_iter().filter(|(_, value)| !value.is_null()).map(|(key, _)| key) {
                unseen |= !matches!(key.as_str(), "codeExecution" | "code_execution" | "computerUse" | "computer_use");
                names.push(key);
            }
        }
        if unseen {
            self.build.lacks("the calls of the provider's tools are not in the record");
        }
    }

    fn item(&mut self, mut item: Value, i: usize, notes: &mut Notes) {
        if has(&item, "candidates") {
            let last = list(&item, "candidates").first().is_some_and(|c| has(c, "finishReason"));
            match answer(item) {
                Some(content) => self.model(content, i, notes),
                None => self.unread(i, "no candidates", notes),
            }
            if last {
                self.close(notes);
            }
            return;
        }
        self.close(notes);
        if has(&item, "response") {
            // Responses that were recorded without their requests: what the tools returned is in none of them.
            self.build.gap("the record holds no results of calls");
            if let Some(content) = answer(take(&mut item, "response")) {
                self.model(content, i, notes);
            }
            return;
        }
        if let Value::String(text) = item {
            self.build.user(Some(text));
            return;
        }
        match text(&item, "role") {
            "model" | "assistant" => self.model(item, i, notes),
            "user" | "function" | "tool" | "" if item.is_object() => self.user(item, notes),
            "system" => self.build.instructions(words(item).into_iter().collect()),
            _ => self.unread(i, "no content of a known role", notes),
        }
    }

    fn unread(&mut self, i: usize, why: &str, notes: &mut Notes) {
        self.build.left_out(&at("contents", i), why, notes);
    }

    fn user(&mut self, mut content: Value, notes: &mut Notes) {
        let parts = match take(&mut content, "parts") {
            Value::Array(parts) => parts,
            Value::Null if has(&content, "text") || has(&content, "functionResponse") => alloc::vec![content],
            Value::Null => Vec::new(),
            one => alloc::vec![one],
        };
        let (mut said, mut unread, mut results, mut media) = (Vec::new(), parts.is_empty(), false, false);
        for mut part in parts {
            if let returned @ Value::Object(_) = either(&mut part, PARTS[1]) {
                self.returned(returned, notes);
                results = true;
            } else if let Some(text) = take_text(&mut part, "text") {
                said.push(text);
            } else if let Value::String(text) = part {
                said.push(text);
            } else if has(&part, "inlineData") || has(&part, "fileData") || has(&part, "inline_data") {
                media = true;
            } else {
                unread = true;
            }
        }
        self.build.heard(said.join("\n"), results, media, unread);
    }

    /// A result; one without an id, or with an id that no call brought, belongs to a call of its name.
    fn returned(&mut self, mut value: Value, notes: &mut Notes) {
        let id = take_string(&mut value, "id");
        let name = take_string(&mut value, "name");
        let media = !take_list(&mut value, "parts").is_empty();
        let answer = Answer { truncated: media, ..judged(take(&mut value, "response")) };
        if self.build.knows(&id) || name.is_empty() {
            self.build.result(&id, answer, notes);
        } else {
            self.build.result_named(&name, answer, notes);
        }
    }

    fn model(&mut self, mut content: Value, i: usize, notes: &mut Notes) {
        self.build.model(&content);
        self.found(&mut content, notes);
        let Value::Array(parts) = take(&mut content, "parts") else {
            return self.unread(i, "no parts", notes);
        };
        for part in parts {
            self.part(part, notes);
        }
    }

    /// The message is over: what is open in it stays so.
    fn close(&mut self, notes: &mut Notes) {
        self.message += 1;
        if let Some(cut) = self.streamed.take() {
            self.build.gap("a call was cut off");
            self.call(cut, notes);
        }
        for id in core::mem::take(&mut self.served) {
            self.build.gap("the result of a provider's tool is not in the record");
            self.answered(&id, Answer::default(), notes);
        }
    }

    fn part(&mut self, mut part: Value, notes: &mut Notes) {
        if flag(&part, "thought") {
            return self.build.between();
        }
        if let Some(text) = take_text(&mut part, "text") {
            return self.build.text(text, &self.message.to_string());
        }
        let found = PARTS.into_iter().find_map(|keys| match either(&mut part, keys) {
            Value::Null => None,
            inner => Some((keys.0, inner)),
        });
        let Some((kind, mut inner)) = found else { return self.build.between() };
        match kind {
            "functionCall" => self.function(inner, notes),
            "functionResponse" => self.returned(inner, notes),
            "executableCode" => self.serve(CODE.to_string(), inner, notes),
            "codeExecutionResult" => {
                let id = take_text(&mut inner, "id").unwrap_or_else(|| CODE.to_string());
                self.answered(&id, executed(inner), notes);
            }
            "toolCall" => {
                let tool = either(&mut inner, ("toolType", "tool_type"));
                self.serve(tool.as_str().unwrap_or("").to_lowercase(), inner, notes);
            }
            "toolResponse" => {
                let tool = either(&mut inner, ("toolType", "tool_type"));
                let id = take_text(&mut inner, "id").unwrap_or_else(|| tool.as_str().unwrap_or("").to_lowercase());
                self.answered(&id, judged(take(&mut inner, "response")), notes);
            }
            _ => self.build.between(),
        }
    }

    /// A call of a tool of the provider.
    fn serve(&mut self, tool: String, mut value: Value, notes: &mut Notes) {
        let id = take_id(&mut value, "id");
        let input = match take(&mut value, "args") {
            Value::Null => value,
            args => args,
        };
        if self.served.len() < AT_ONCE {
            self.served.push(id.clone().unwrap_or_else(|| tool.clone()));
        }
        let call = Call { executor: Some(Executor::Provider), ..client(tool, input, id) };
        self.build.call(call, None, notes);
    }

    /// The result of a call of the provider, by its id or the tool's name.
    fn answered(&mut self, id: &str, answer: Answer, notes: &mut Notes) {
        if let Some(place) = self.served.iter().position(|open| open == id) {
            self.served.remove(place);
        }
        self.build.result_named(id, answer, notes);
    }

    fn function(&mut self, mut value: Value, notes: &mut Notes) {
        let goes_on = flag(&value, "willContinue") || flag(&value, "will_continue");
        let name = take_id(&mut value, "name");
        let pieces = take_items(&mut either(&mut value, ("partialArgs", "partial_args")), &[]);
        if let (None, Some(open)) = (&name, &mut self.streamed) {
            open.add(pieces, &mut self.build);
        } else {
            let call = client(name.unwrap_or_default(), take(&mut value, "args"), take_id(&mut value, "id"));
            if let Some(former) = self.streamed.take() {
                self.call(former, notes);
            }
            let mut started = Streamed { call, arguments: Map::new() };
            started.add(pieces, &mut self.build);
            self.streamed = Some(started);
        }
        if !goes_on {
            if let Some(whole) = self.streamed.take() {
                self.call(whole, notes);
            }
        }
    }

    fn call(&mut self, streamed: Streamed, notes: &mut Notes) {
        let Streamed { mut call, arguments } = streamed;
        if !arguments.is_empty() {
            call.arguments = Value::Object(arguments);
        }
        self.build.call(call, None, notes);
    }

    /// Searches of the provider are told of beside the text that they gave.
    fn found(&mut self, content: &mut Value, notes: &mut Notes) {
        for (key, chunks, tool) in GROUNDS {
            let mut ground = take(content, key);
            let chunks = take_list(&mut ground, chunks);
            let queries = either(&mut ground, ("webSearchQueries", "web_search_queries"));
            if chunks.is_empty() && queries.as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let files = chunks.iter().any(|c| has(c, "retrievedContext") || has(c, "retrieved_context"));
            let tool = if files { "file_search" } else { tool }.to_string();
            let call = Call { executor: Some(Executor::Provider), ..client(tool, object("queries", queries), None) };
            // Only what the answer rests on is told, which is a part of what was found.
            let answer = Answer::of((leaves(Value::Array(chunks)).0, true));
            self.build.call(call, Some(answer), notes);
        }
    }
}
