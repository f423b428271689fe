//! Results that come back as text: their spans are changed, all else is written again as it was read.

use super::*;

/// Changes the spans of a serialised result of one reply to another unit.
///
/// `reply` is the text that the claims' spans point into. Evidence spans point into outputs, which only the turn
/// holds: with `turn`, the native turn that was checked, they are changed too; without it they become
/// `null`, since a span in the wrong unit would be worse than none.
///
/// ```
/// use counterfoil::{wire, Unit};
///
/// let turn = r#"{"reply": "🎉 All tests pass.", "calls": [{"tool": "bash", "arguments": {"command": "pytest"},
///     "output": "7 passed in 0.31s", "exit": 0}]}"#;
/// let bytes = wire::verify(turn, "", Unit::Utf8)?.expect("a result");
/// let changed = wire::recode(&bytes, "🎉 All tests pass.", Some(turn), Unit::Utf16)?;
/// assert_eq!(Some(changed), wire::verify(turn, "", Unit::Utf16)?);
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub fn recode(result: &str, reply: &str, turn: Option<&str>, unit: Unit) -> Result<String, Error> {
    let mut result = Fields::of(parse("result", result)?, &RESULT)?;
    let Some(Value::Array(claims)) = result.values.remove("claims") else {
        return Err(Error::new(ErrorKind::Shape, "claims", "expected a list"));
    };
    let mut claims = claims.into_iter().map(SerialClaim::of).collect::<Result<Vec<SerialClaim>, Error>>()?;
    let from = result.values.get("unit").and_then(Value::as_str).and_then(Unit::named);
    let from = from.ok_or_else(|| Error::new(ErrorKind::Shape, "unit", "expected one of utf8, utf16, codepoints"))?;
    let length = from.length(reply);
    let outside = |claim: &SerialClaim| claim.span.start > claim.span.end || claim.span.end > length;
    if let Some(i) = claims.iter().position(outside) {
        let message = format!("the reply has no such place; it is {length} long in {}", name_of(from));
        return Err(Error::new(ErrorKind::Shape, format!("claims[{i}].span"), message));
    }
    if from != unit {
        recode_claims(&mut claims, reply, turn, from, unit)?;
        result.values.insert("unit".into(), name_of(unit).into());
    }
    let claims = claims.iter().map(SerialClaim::text).collect::<Vec<_>>().join(",");
    Ok(result.text(&|field| (field == "claims").then(|| format!("[{claims}]"))))
}

fn recode_claims(
    claims: &mut [SerialClaim],
    reply: &str,
    turn: Option<&str>,
    from: Unit,
    unit: Unit,
) -> Result<(), Error> {
    let turn = turn.map(transcript::turn).transpose()?;
    let calls = turn.as_ref().map(|turn| Calls::of(core::slice::from_ref(turn)));
    let mut in_reply: Vec<&mut usize> = Vec::new();
    let mut in_calls: Vec<(usize, Offsets<'_>)> = Vec::new();
    for claim in claims {
        in_reply.push(&mut claim.span.start);
        in_reply.push(&mut claim.span.end);
        let start = turn.as_ref().map(|turn| turn.earlier.len());
        let place = match (claim.call, claim.earlier, start) {
            (Some(call), _, Some(start)) => start.checked_add(call),
            (None, Some(earlier), Some(_)) => Some(earlier),
            _ => None,
        };
        match (place, &mut claim.evidence) {
            (Some(place), Some(Span { start, end })) => in_calls.push((place, [start, end])),
            (None, evidence) => *evidence = None,
            (_, None) => {}
        }
    }
    recode_offsets(reply, &mut in_reply, from, unit);
    if let Some(calls) = &calls {
        recode_outputs(calls, in_calls, from, unit);
    }
    Ok(())
}

/// The fields of a serialised result, in the order in which they are written.
const RESULT: [&str; 13] = [
    "version", "unit", "status", "method", "calls", "complete", "wants", "failure", "answer", "claims", "canaries",
    "line", "joined",
];

/// The fields of a claim in it.
const CLAIM: [&str; 9] = ["reader", "text", "verdict", "reason", "span", "line", "call", "earlier", "evidence"];

/// The fields of an object that is written again as it was read, but for some of them.
struct Fields {
    names: &'static [&'static str],
    values: Map<String, Value>,
}

impl Fields {
    fn of(value: Value, names: &'static [&'static str]) -> Result<Self, Error> {
        let Value::Object(values) = value else {
            return Err(Error::new(ErrorKind::Shape, "result", "expected an object for the result and for each claim"));
        };
        match names.iter().find(|name| !values.contains_key(**name)) {
            None => Ok(Fields { names, values }),
            Some(name) => Err(Error::new(ErrorKind::Shape, "result", format!("missing field `{name}`"))),
        }
    }

    /// The number that a field holds, or null.
    fn number(&self, name: &str) -> Result<Option<usize>, Error> {
        match self.values.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => whole(value).map(Some).ok_or_else(|| Self::wrong(name)),
        }
    }

    /// The span that a field holds, or null.
    fn span(&self, name: &str) -> Result<Option<Span>, Error> {
        let Some(span) = self.values.get(name).filter(|span| !span.is_null()) else { return Ok(None) };
        let at = |end: &str| span.get(end).and_then(whole).ok_or_else(|| Self::wrong(name));
        Ok(Some(Span::new(at("start")?, at("end")?)))
    }

    fn wrong(name: &str) -> Error {
        Error::new(ErrorKind::Shape, name, "expected a whole number from 0, or two of them as start and end")
    }

    /// The object as JSON text; `own` gives the text of the fields that are not written as they were read.
    fn text(&self, own: &dyn Fn(&str) -> Option<String>) -> String {
        let field = |name: &&str| {
            let value = own(name).or_else(|| self.values.get(*name).map(Value::to_string));
            format!("\"{name}\":{}", value.as_deref().unwrap_or("null"))
        };
        format!("{{{}}}", self.names.iter().map(field).collect::<Vec<_>>().join(","))
    }
}

fn whole(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

/// A claim of a serialised result.
struct SerialClaim {
    fields: Fields,
    span: Span,
    call: Option<usize>,
    earlier: Option<usize>,
    evidence: Option<Span>,
}

impl SerialClaim {
    fn of(value: Value) -> Result<Self, Error> {
        let fields = Fields::of(value, &CLAIM)?;
        let span = fields.span("span")?.ok_or_else(|| Fields::wrong("span"))?;
        let (call, earlier, evidence) = (fields.number("call")?, fields.number("earlier")?, fields.span("evidence")?);
        Ok(SerialClaim { fields, span, call, earlier, evidence })
    }

    fn text(&self) -> String {
        self.fields.text(&|field| match field {
            "span" => Some(json(&self.span)),
            "evidence" => Some(json(&self.evidence)),
            _ => None,
        })
    }
}
