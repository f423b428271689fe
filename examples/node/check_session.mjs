/**
 * Checks a session and marks what its record does not carry.
 *
 *     npm install counterfoil
 *     node check_session.mjs session.jsonl
 */

import { readFileSync } from "node:fs";
import { parseSession, verifySession } from "counterfoil";

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node check_session.mjs FILE");
  process.exit(2);
}
const session = parseSession(readFileSync(path));
const report = verifySession(session);

/** The text that spans point into. */
const textOf = (reply) => (typeof reply === "string" ? reply : reply.map((piece) => piece.text).join("\n\n"));

for (const { turn, verification } of report.turns) {
  const text = textOf(session.turns[turn - 1].reply);
  for (const { span, verdict, reason } of verification?.claims ?? []) {
    if (verdict !== "unsupported" && verdict !== "contradicted") continue;
    const before = text.slice(0, span.start).split("\n").at(-1);
    const after = text.slice(span.end).split("\n")[0];
    console.log(`turn ${turn}: ${before}[${text.slice(span.start, span.end)}]${after}`);
    console.log(`        ${reason}`);
  }
}
