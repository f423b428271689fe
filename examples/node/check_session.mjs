/**
 * Checks a session and marks what its record does not carry. In a folder with a copy of this file:
 *
 *     npm install PATH/counterfoil-0.1.0.tgz      # `make demo` packs it into .cache/npm-pack
 *     node check_session.mjs session.jsonl
 */

import { readFileSync } from "node:fs";
import { flagged, parseSession, replyText, verifySession } from "counterfoil";

const [path] = process.argv.slice(2);
if (path === undefined) stop("usage: node check_session.mjs FILE");
const session = read(path);

for (const { turn, verification } of verifySession(session).turns) {
  const text = replyText(session.turns[turn - 1]);
  for (const { span, reason } of flagged(verification)) {
    const before = text.slice(0, span.start).split("\n").at(-1);
    const after = text.slice(span.end).split("\n")[0];
    console.log(`turn ${turn}: ${before}[${text.slice(span.start, span.end)}]${after}`);
    console.log(`        ${reason}`);
  }
}

/** The session in a file. */
function read(path) {
  try {
    return parseSession(readFileSync(path));
  } catch (error) {
    return stop(`${path}: ${error.message}`);
  }
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}
