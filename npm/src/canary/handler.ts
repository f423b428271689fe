/** The probe document over HTTP, as a web-standard handler: `Request` in, `Response` out. It writes no log. */

import { attempt, CounterfoilError } from "../error.js";
import { type Canary, type CanaryEvent, type CanaryVerdict, headers } from "./api.js";
import * as core from "./core/counterfoil_canary.js";

/** Settings of a handler; what is left out keeps its default. */
export interface HandlerOptions {
  /** Where it is mounted: `/canary`. */
  base?: string | undefined;
  /** Unix seconds: the clock of this machine. */
  now?: (() => number) | undefined;
  /**
   * Host names that are answered besides those of this machine (`localhost`, `127.0.0.1`, `[::1]`). Others are refused, since
   * a page could have its own name point here (DNS rebinding).
   */
  hosts?: readonly string[] | undefined;
  /** How often a client, and a session, may ask in a minute: 30. */
  perMinute?: number | undefined;
  /** Hears of every document and verdict. The events hold no sentinel. */
  audit?: ((event: CanaryEvent) => void) | undefined;
}

/** The type of a global class where the project knows it, from a browser's types or Node's; else any object. */
type Known<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Type } }
  ? Type
  : object;
export type WebRequest = Known<"Request">;
export type WebResponse = Known<"Response">;

/** Answers a request. `client` tells clients apart, such as by their address; only a digest of it is kept. */
export type Handler = (request: WebRequest, info?: { client?: string | undefined }) => Promise<WebResponse>;

/** The most bytes of a body that are read. */
const LARGEST = 65_536;

const PRIVATE = {
  "Cache-Control": "no-store, no-cache, must-revalidate",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** A refusal: a status and a code for programs. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/**
 * `GET {base}/{session}` gives the probe document (`?form=text` and `?form=tool` its other forms), and `POST {base}/verify`
 * with `{"session", "claim"}` or `{"session", "reply"}` the verdict. A refusal is JSON: `{"error": {"code", "message"}}`.
 */
export function handler(canary: Canary, options: HandlerOptions = {}): Handler {
  const base = `/${(options.base ?? "/canary").replace(/^\/+|\/+$/g, "")}`;
  const now = options.now ?? (() => Date.now() / 1000);
  const hosts = new Set((options.hosts ?? []).map((host) => host.toLowerCase()));
  const limit = options.perMinute ?? 30;
  const clients = attempt(() => new core.Limiter(limit));
  const sessions = attempt(() => new core.Limiter(limit));

  const ask = (limiter: core.Limiter, name: string): void => {
    const wait = limiter.ask(name, now());
    if (wait > 0)
      throw new Refusal(429, "rate_limited", `asked more than ${limit} times a minute`, { "Retry-After": `${wait}` });
  };

  const issue = (session: string, form: string | null, client: string, agent: string): Response => {
    ask(sessions, session);
    const issued = canary.issue(session, now(), client === "" ? null : { identifier: client, agent });
    options.audit?.(issued.event);
    const plain = form === "text" || form === "tool";
    const type = form === "text" ? "text/plain; charset=utf-8" : "application/json";
    const body = form === "text" ? issued.text : form === "tool" ? issued.tool : issued.document;
    return new Response(body, { headers: plain ? { ...headers(), "Content-Type": type } : headers() });
  };

  const verify = async (request: Request): Promise<Response> => {
    const { session, claim, reply } = await asked(request);
    ask(sessions, session);
    const found: CanaryVerdict =
      typeof reply === "string"
        ? canary.verifyReply(session, reply, now())
        : canary.verify(session, claim as string | null, now());
    options.audit?.(found.event);
    const { state, distance, meaning } = found;
    return Response.json({ state, distance, meaning }, { headers: PRIVATE });
  };

  const answer = async (request: Request, client: string): Promise<Response> => {
    const url = new URL(request.url);
    local(request, url, hosts);
    if (!url.pathname.startsWith(`${base === "/" ? "" : base}/`))
      throw new Refusal(404, "not_found", "nothing is here");
    ask(clients, client);
    const name = decoded(url.pathname.slice(base === "/" ? 1 : base.length + 1));
    const wanted = name === "verify" ? "POST" : "GET";
    if (request.method !== wanted) throw new Refusal(405, "wrong_method", `expected ${wanted}`, { Allow: wanted });
    if (wanted === "POST") return verify(request);
    return issue(name, url.searchParams.get("form"), client, request.headers.get("user-agent") ?? "");
  };

  return async (request, info) => {
    try {
      return await answer(request, info?.client ?? "");
    } catch (failure) {
      return refused(failure);
    }
  };
}

function refused(failure: unknown): Response {
  let refusal = new Refusal(500, "internal", "the request could not be answered");
  if (failure instanceof Refusal) refusal = failure;
  else if (failure instanceof CounterfoilError)
    refusal = new Refusal(400, `bad_${failure.path || "request"}`, failure.message);
  const { status, code, message } = refusal;
  return Response.json({ error: { code, message } }, { status, headers: { ...PRIVATE, ...refusal.headers } });
}

/** Refuses names that are not this machine's, in the address and in what a browser says of the page that asks. */
function local(request: Request, url: URL, hosts: ReadonlySet<string>): void {
  const known = (name: string): boolean => hosts.has(name) || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name);
  const host = request.headers.get("host");
  if (!known(url.hostname.toLowerCase()) || (host !== null && !known(named(`http://${host}`))))
    throw new Refusal(403, "forbidden_host", "this host name is not answered; the option hosts allows it");
  const origin = request.headers.get("origin");
  if (origin !== null && !known(named(origin)))
    throw new Refusal(403, "forbidden_origin", "a page of this origin is not answered; the option hosts allows it");
}

function named(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : "";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, "bad_session", "the session's id is no text");
  }
}

/** What a verdict is asked of. Only JSON is read, which a page of another origin cannot send unasked. */
async function asked(request: Request): Promise<{ session: string; claim: unknown; reply: unknown }> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal(415, "wrong_type", "expected Content-Type: application/json");
  const body: unknown = parsed(await bounded(request));
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal(400, "bad_request", 'expected {"session", "claim"} or {"session", "reply"}');
  const { session, claim, reply } = body as Record<string, unknown>;
  if (typeof session !== "string") throw new Refusal(400, "bad_session", "expected session as a text");
  for (const [name, value] of [
    ["claim", claim],
    ["reply", reply],
  ] as const)
    if (value != null && typeof value !== "string") throw new Refusal(400, `bad_${name}`, `expected ${name} as a text`);
  return { session, claim, reply };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "bad_request", "expected JSON");
  }
}

/** The body as text, given up where it grows too large. */
async function bounded(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > LARGEST) {
      await reader?.cancel();
      throw new Refusal(413, "too_large", `a body has at most ${LARGEST} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
