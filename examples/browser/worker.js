/** Checks sessions beside the page, so that a large one does not make it wait. */

import { flagged, init, parseSession, replyText, verifySession } from "./counterfoil/dist/full/browser.js";

self.onmessage = async ({ data: { number, text } }) => {
  try {
    await init();
    self.postMessage({ number, ...checked(text) });
  } catch (error) {
    self.postMessage({ number, error: error.message });
  }
};
init().catch((error) => self.postMessage({ error: error.message })); // Said before anything is pasted.

/** What the page shows. A `Session` lies in the core's memory and cannot be posted; plain objects can. */
function checked(text) {
  const session = parseSession(text);
  try {
    const { totals, turns } = verifySession(session);
    const found = turns.map(({ turn, verification }) => {
      return { turn, claims: flagged(verification), reply: replyText(session.turns[turn - 1]) };
    });
    return { totals, notes: session.notes, turns: found.filter(({ claims }) => claims.length > 0) };
  } finally {
    session.free();
  }
}
