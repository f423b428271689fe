/** The handler under `node:http`. */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Handler } from "./handler.js";

/** A listener for `http.createServer` that answers with a handler. Clients are told apart by their address. */
export function listener(handle: Handler): RequestListener {
  return (incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(400);
      outgoing.end();
    });
  };
}

async function answer(handle: Handler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const response = await handle(request(incoming), { client: incoming.socket.remoteAddress });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(incoming.method === "HEAD" ? undefined : Buffer.from(await response.arrayBuffer()));
}

/** Node's request as a standard one. What is no path, such as `*`, is answered as the root. */
function request(incoming: IncomingMessage): Request {
  const host = incoming.headers.host ?? "localhost";
  const path = incoming.url?.startsWith("/") ? incoming.url : "/";
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const bodiless = method === "GET" || method === "HEAD";
  const body = bodiless ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Request(`http://${host}${path}`, { method, headers, ...(body && { body, duplex: "half" }) } as RequestInit);
}
