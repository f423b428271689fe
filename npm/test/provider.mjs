/** A server that speaks the providers' wire formats, for the tests of ready-made callbacks. */

import { createServer } from "node:http";

/** What the model answers. */
export const DOUBT = { reason: "Nothing was restarted.", claim: "I rebooted the router", verdict: "unsupported" };

/** Runs work with the server's address and the list of the requests that it has seen. */
export async function served(
  work,
  { refuses = false, status = 200, text = JSON.stringify(DOUBT), hangs = false } = {},
) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString());
    const one = { path: request.url, headers: request.headers, body, closed: false };
    seen.push(one);
    response.on("close", () => {
      one.closed = true;
    });
    if (hangs) return;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer(request.url, body.model, refuses, text)));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    return await work(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

function answer(path, model, refuses, text) {
  if (path === "/v1/chat/completions") {
    const message = refuses
      ? { role: "assistant", content: null, refusal: "I cannot." }
      : { role: "assistant", content: text, refusal: null };
    const choice = { index: 0, message, finish_reason: refuses ? "content_filter" : "stop", logprobs: null };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return { id: "c1", object: "chat.completion", created: 1, model, choices: [choice], usage };
  }
  if (path === "/v1/messages") {
    return {
      id: "m1",
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text: refuses ? "I cannot." : text }],
      stop_reason: refuses ? "refusal" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  }
  return { model, message: { role: "assistant", content: text }, done: true };
}
