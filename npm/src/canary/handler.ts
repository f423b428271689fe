/** The probe document over HTTP, as a web-standard handler. Who is answered and what is refused the core decides. */

import { CounterfoilError } from "../error.js";
import { described } from "../input.js";
import { Canary, type CanaryEvent, type CanaryVerdict } from "./api.js";
import { type Audit, Hooks, type OnError } from "./audit.js";
import { Body, Limit } from "./body.js";
import * as core from "./core/counterfoil_canary.js";
import { callable, given, handed } from "./options.js";

/** Settings of a handler; what is left out keeps its default. A wrong one throws a `CounterfoilError` with its name. */
export interface HandlerOptions {
  /** Where it is mounted: `/canary`. */
  base?: string | undefined;
  /**
   * Host names that are answered besides those of this machine (`localhost`, `127.0.0.1`, `[::1]`). Others are refused, since
   * a page could have its own name point here (DNS rebinding).
   */
  hosts?: readonly string[] | undefined;
  /**
   * How often a client may ask in a minute: 30. A third of them are its own for each session; all further questions about
   * a session share this limit, too.
   */
  perMinute?: number | undefined;
  /** In how many seconds a body has to be here: 10 (1 to 60). */
  bodySeconds?: number | undefined;
  /** Unix seconds: the clock of this machine. */
  now?: (() => number) | undefined;
  /** Hears of every document and verdict. The events hold no sentinel. It may be asynchronous, and is not waited for. */
  audit?: ((event: CanaryEvent) => unknown) | null | undefined;
  /**
   * Hears what `audit` throws or rejects with, and of every failure behind a status 500: `console.error`. The client is
   * answered all the same.
   */
  onError?: ((failure: unknown) => unknown) | null | undefined;
}

/** The type of a global class where the project knows it, from a browser's types or Node's; else any object. */
type Known<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Type } }
  ? Type
  : object;
export type WebRequest = Known<"Request">;
export type WebResponse = Known<"Response">;

/** Answers a request. `client` tells clients apart, such as by their address; only a digest of it is kept. */
export type Handler = (request: WebRequest, info?: { client?: string | undefined }) => Promise<WebResponse>;

/** Under this the listener gives the target of a request as it was sent; an address has its dots resolved. */
export const TARGET = Symbol("target");
interface Info {
  client?: unknown;
  [TARGET]?: string;
}

const NAMES = ["base", "hosts", "perMinute", "bodySeconds", "now", "audit", "onError"] as const;
const FORMS = { html: "document", text: "text", tool: "tool" } as const;

/** What the core decides. */
type Headers_ = Record<string, string>;
interface Refused {
  status: number;
  headers: Headers_;
  body: string;
}
interface Decided {
  issue?: { session: string; form: keyof typeof FORMS };
  verify?: { session: string; claim?: string | null; reply?: string | null };
  headers: Headers_;
  refused?: Refused;
}

/** What the operator's own part failed at. */
class Fault extends Error {
  constructor(
    readonly code: string,
    readonly failure: unknown,
  ) {
    super(code);
  }
}

/**
 * `GET {base}/{session}` gives the probe document (`?form=text` and `?form=tool` its other forms), and `POST {base}/verify`
 * with `{"session", "claim"}` or `{"session", "reply"}` the verdict. A refusal is JSON: `{"error": {"code", "message"}}`.
 */
export function handler(canary: Canary, options?: HandlerOptions): Handler {
  if (!(canary instanceof Canary))
    throw new CounterfoilError("option", "canary", `expected a Canary; found ${described(canary)}`);
  const { now = () => Date.now() / 1000, audit, onError, ...served } = given(options, NAMES);
  const gate = handed(served, NAMES, (json) => new core.Gate(json));
  const clock = callable<() => unknown>("now", now);
  const hooks = new Hooks(
    audit == null ? undefined : callable<Audit>("audit", audit),
    onError == null ? undefined : callable<OnError>("onError", onError),
  );
  const seconds = (served["bodySeconds"] as number | undefined) ?? 10;
  return async (request, info) => {
    const body = new Body(request, seconds);
    try {
      return await answer({ canary, gate, clock, hooks }, request, info ?? {}, body);
    } catch (failure) {
      return refused(failure, hooks, body);
    }
  };
}

interface Server {
  canary: Canary;
  gate: core.Gate;
  clock: () => unknown;
  hooks: Hooks;
}

async function answer(server: Server, request: Request, info: Info, body: Body): Promise<Response> {
  const client = info.client ?? "";
  if (typeof client !== "string") throw new Fault("bad_client", wrong("client", "a text", client));
  const seconds = (): number => performance.now() / 1000; // Of a clock that is never set.
  let found: Decided = JSON.parse(server.gate.arrive(head(request, client, info[TARGET]), seconds()));
  if (found.verify) found = JSON.parse(server.gate.asked(client, await body.read(), seconds()));
  if (found.refused) {
    await body.drain();
    return response(found.refused);
  }
  const text = found.issue ? issued(server, request, client, found.issue) : verified(server, found.verify);
  return response({ status: 200, headers: found.headers, body: text });
}

function issued(server: Server, request: Request, client: string, asked: NonNullable<Decided["issue"]>): string {
  const agent = request.headers.get("user-agent") ?? "";
  const who = client === "" ? null : { identifier: client, agent };
  const made = server.canary.issue(asked.session, time(server.clock), who);
  server.hooks.tell(made.event);
  return made[FORMS[asked.form]];
}

function verified(server: Server, asked: Decided["verify"]): string {
  const { session, claim, reply } = asked as NonNullable<typeof asked>;
  const now = time(server.clock);
  const found: CanaryVerdict =
    reply == null ? server.canary.verify(session, claim, now) : server.canary.verifyReply(session, reply, now);
  server.hooks.tell(found.event);
  const { state, distance, meaning } = found;
  return JSON.stringify({ state, distance, meaning });
}

/** The time. A clock that gives none is a fault of this server, not of the one who asks. */
function time(clock: () => unknown): number {
  let now: unknown;
  try {
    now = clock();
  } catch (failure) {
    throw new Fault("bad_now", failure);
  }
  if (typeof now === "number" && now >= 0 && now <= 9e12) return now;
  throw new Fault("bad_now", wrong("now", "Unix seconds as a number", now));
}

function wrong(path: string, expected: string, found: unknown): CounterfoilError {
  return new CounterfoilError("shape", path, `expected ${expected}; found ${described(found)}`);
}

/** What the core decides on, as JSON text. */
function head(request: Request, client: string, target: string | undefined): string {
  const url = new URL(request.url);
  const { host, ...sent } = {
    host: request.headers.get("host"),
    origin: request.headers.get("origin"),
    type: request.headers.get("content-type"),
    length: request.headers.get("content-length"),
  };
  const asked =
    target === undefined
      ? { target: url.pathname + url.search, host: host ?? url.host, url: url.host }
      : { target, host };
  return JSON.stringify({ method: request.method, client: mended(client), ...asked, ...sent });
}

/** A text without lone surrogates, which JSON cannot carry. */
function mended(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** What goes wrong is answered, and told to the operator where it is not the fault of the one who asks. */
async function refused(failure: unknown, hooks: Hooks, body: Body): Promise<Response> {
  if (!(failure instanceof Limit)) hooks.failed(failure instanceof Fault ? failure.failure : failure);
  const code = failure instanceof Limit || failure instanceof Fault ? failure.code : "internal";
  const { refused } = JSON.parse(core.Gate.refused(code)) as { refused: Refused };
  await body.drain();
  return response(refused);
}

function response({ status, headers, body }: Refused): Response {
  return new Response(body, { status, headers });
}
