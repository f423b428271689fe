//! What the types that go over a network share: the address for the host, and a second look at where the host went.
use super::super::address;
use super::super::origin::Url;
use super::prelude::*;

/// The address of a check in its one form, so that the host cannot read it in another way.
pub(super) fn href(params: Params<'_>) -> String {
    let text = params.text("url");
    Url::parse(text).map_or_else(|_| text.to_string(), |url| url.href())
}

/// The origin of a check, for what is said about it.
pub(super) fn origin(params: Params<'_>) -> String {
    Url::parse(params.text("url")).map(|url| url.origin()).unwrap_or_default()
}

/// What was seen for a request, or why not, with the origin that could not be looked at.
pub(super) fn look<'a>(case: &Case<'a>, name: &str) -> Result<Look<'a>, Undecided> {
    case.look(name).map_err(|undecided| {
        let origin = origin(case.params);
        if undecided.reason.contains(&origin) {
            return undecided;
        }
        Undecided { reason: format!("{origin}: {}", undecided.reason), ..undecided }
    })
}

/// Whether the contract lists the origin of an address that the host went to.
pub(super) fn listed(case: &Case<'_>, url: &str) -> Result<(), Undecided> {
    let refused = |origin: &str| {
        let reason = format!("the host went to {origin}, which is not among allowed_origins");
        Undecided::new(Code::CheckRefused, reason)
    };
    let origin = Url::parse(url).map_err(|_| refused("an address that is not of http or https"))?.origin();
    if case.contract.allowed_origins.iter().any(|allowed| allowed.origin == origin) {
        return Ok(());
    }
    Err(refused(&origin))
}

/// Whether the contract lets a check connect to the addresses that the host says it met. A host asks before it connects; one that
/// did not is found here.
pub(super) fn vetted(case: &Case<'_>, addresses: &[&str]) -> Result<(), Undecided> {
    let origin = origin(case.params);
    let private = case.contract.allowed_origins.iter().any(|entry| entry.origin == origin && entry.allow_private);
    for given in addresses {
        let class = address::classify(given).ok_or_else(|| unread(fault("connected", "expected an IP address")))?;
        if !address::allowed(class, given, &origin, private) {
            let reason = format!("{origin} was reached at {given}, which is {} and not allowed", class.name());
            return Err(Undecided::new(Code::CheckRefused, reason));
        }
    }
    Ok(())
}

/// The members that every look at a page has.
const PAGE: [&str; 6] = ["http_status", "final_url", "navigations", "addresses", "settled", "ready"];

/// Parameters of every check of a page.
pub(super) const TIMEOUT: Param =
    or("timeout_ms", Kind::Int(1, 600_000), "10000", "how long the host waits for what is looked for, in milliseconds");
pub(super) const SETTLE: Param = or(
    "settle_ms",
    Kind::Int(0, 60_000),
    "500",
    "how long the page has to be at rest before it is looked at, in milliseconds",
);
pub(super) const READY: Param = may("ready_selector", Kind::Term, "what has to be on the page before it is looked at");

/// The most navigations of a page that are looked at.
const NAVIGATIONS: usize = 100;

/// How a page came to rest.
pub(super) struct Page {
    pub(super) status: i64,
    /// Whether it was at rest, with what `ready_selector` names on it.
    pub(super) settled: bool,
}

impl Page {
    /// Why what is not on the page proves nothing, if so.
    pub(super) fn unfit(&self) -> Option<Undecided> {
        let reason = match self.status {
            status if status >= 400 => format!("the page answered {status}"),
            _ if !self.settled => "the page was not at rest, or not ready".to_string(),
            _ => return None,
        };
        Some(Undecided::new(Code::EvidenceAbsent, reason))
    }
}

/// The request for a look at a page.
pub(super) fn page_request(params: Params<'_>, capability: Capability) -> Request {
    Request::new("page", capability)
        .url("url", &href(params))
        .given(params, "timeout_ms")
        .given(params, "settle_ms")
        .given(params, "ready_selector")
}

/// Reads a look at a page, which has members of the type's own too, and looks again at every place that the page went to.
pub(super) fn page<'a>(case: &Case<'_>, look: &Look<'a>, own: &[&str]) -> Result<(Fields<'a>, Page), Undecided> {
    let known: Vec<&str> = PAGE.iter().chain(own).copied().collect();
    let fields = look.fields(&known)?.ok_or_else(|| unread(fault("", "a page is not absent but unavailable")))?;
    let last = fields.text("final_url", 10_000).map_err(unread)?;
    let navigations = fields.texts("navigations", NAVIGATIONS).map_err(unread)?.unwrap_or_default();
    for url in navigations.iter().map(String::as_str).chain(last) {
        listed(case, url)?;
    }
    let addresses = fields.texts("addresses", NAVIGATIONS).map_err(unread)?.unwrap_or_default();
    vetted(case, &addresses.iter().map(String::as_str).collect::<Vec<_>>())?;
    // Without these nobody looked at a page, whatever else is said of it.
    let missing = |name| unread(fault(name, "missing"));
    let status = whole(&fields, "http_status", 100, 999)?;
    last.ok_or_else(|| missing("final_url"))?;
    let settled = fields.bool("settled").map_err(unread)?.ok_or_else(|| missing("settled"))?;
    let ready = fields.bool("ready").map_err(unread)?.unwrap_or(!case.params.has("ready_selector"));
    Ok((fields, Page { status, settled: settled && ready }))
}
