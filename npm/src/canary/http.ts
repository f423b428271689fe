/** The handler under `node:http`. Node's own types fit these, and a project for browsers does not have to know them. */

import { Readable } from "node:stream";
import type { Handler } from "./handler.js";

/** What is read of Node's `IncomingMessage`. */
export interface Incoming {
  url?: string | undefined;
  method?: string | undefined;
  headers: { readonly [name: string]: string | string[] | undefined };
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
  return (incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    });
  };
}

async function answer(handle: Handler, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const response = await handle(request(incoming), { client: incoming.socket.remoteAddress });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(incoming.method === "HEAD" ? undefined : new Uint8Array(await response.arrayBuffer()));
}

/** Node's request as a standard one. What is no path, such as `*`, is answered as the root. */
function request(incoming: Incoming): Request {
  const host = incoming.headers["host"] ?? "localhost";
  const path = incoming.url?.startsWith("/") ? incoming.url : "/";
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const bodiless = method === "GET" || method === "HEAD";
  const body = bodiless ? null : (Readable.toWeb(incoming as unknown as Readable) as ReadableStream);
  return new Request(`http://${host}${path}`, {
    method,
    headers,
    ...(body && { body, duplex: "half" }),
  } as RequestInit);
}
