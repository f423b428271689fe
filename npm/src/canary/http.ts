/** The handler under `node:http`. Node's own types fit these, and a project for browsers does not have to know them. */

import type { Readable } from "node:stream";
import { CounterfoilError } from "../error.js";
import { described } from "../input.js";
import { type Handler, TARGET } from "./handler.js";

/** What is read of Node's `IncomingMessage`. */
export interface Incoming {
  url?: string | undefined;
  method?: string | undefined;
  headers: { readonly [name: string]: string | string[] | undefined };
  headersDistinct?: { readonly [name: string]: string[] | undefined };
  complete?: boolean;
  socket: { remoteAddress?: string | undefined };
}

/** What is called of Node's `ServerResponse`. */
export interface Outgoing {
  readonly headersSent: boolean;
  writeHead(status: number, headers?: Record<string, string>): unknown;
  end(body?: Uint8Array): unknown;
}

/** A listener for `http.createServer` that answers with a handler. Clients are told apart by their address. */
export function listener(handle: Handler): (incoming: Incoming, outgoing: Outgoing) => void {
  if (typeof handle !== "function")
    throw new CounterfoilError("option", "handler", `expected a function; found ${described(handle)}`);
  return (incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch((failure: unknown) => {
      console.error("counterfoil canary:", failure);
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  };
}

async function answer(handle: Handler, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const info = { client: incoming.socket.remoteAddress, [TARGET]: incoming.url ?? "" };
  const response = await handle(request(incoming), info);
  const body = new Uint8Array(await response.arrayBuffer());
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  headers["content-length"] = `${body.length}`;
  // What was not taken off the line would be read as the next request.
  if (incoming.complete === false) headers["connection"] = "close";
  outgoing.writeHead(response.status, headers);
  outgoing.end(incoming.method === "HEAD" ? undefined : body);
}

/** Node's request as a standard one. A host that no address can hold stays in its header alone, where it is refused. */
function request(incoming: Incoming): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct ?? incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const host = headers.get("host") ?? "";
  const path = incoming.url?.startsWith("/") ? incoming.url : "/";
  const named = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}${path}`);
  const address = new URL(named ? `http://${host}${path}` : "http://unnamed.invalid/");
  // The standard knows no request of these methods; what becomes of them becomes of the other.
  const method = /^(CONNECT|TRACE|TRACK)$/.test(incoming.method ?? "") ? "OPTIONS" : (incoming.method ?? "GET");
  const bodiless = method === "GET" || method === "HEAD";
  const body = bodiless ? null : stream(incoming as unknown as Readable);
  return new Request(address, { method, headers, ...(body && { body, duplex: "half" }) } as RequestInit);
}

/** A body as a standard stream. One that is given up leaves the socket as it is, so that an answer still goes out. */
function stream(incoming: Readable): ReadableStream<Uint8Array> {
  const parts = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array);
      },
    },
    { highWaterMark: 0 },
  );
}
