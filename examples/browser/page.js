/** Marks flagged claims in a pasted session. `/counterfoil/` is the folder of the npm package. */

import { init, parseSession, verifySession } from "/counterfoil/dist/browser.js";

await init();
const [box, summary, turns] = ["session", "summary", "turns"].map((id) => document.getElementById(id));

function show() {
  turns.replaceChildren();
  CSS.highlights.clear();
  if (box.value.trim() === "") return;
  try {
    const session = parseSession(box.value);
    const { totals, turns: reports } = verifySession(session);
    summary.textContent = `${totals.claims} claims read in ${totals.turns} turns, ${totals.flagged} flagged`;
    const marks = reports.flatMap((report, i) => marksOf(report, textOf(session.turns[i].reply)));
    CSS.highlights.set("flagged", new Highlight(...marks));
    session.free();
  } catch (error) {
    summary.textContent = error.message;
  }
}

/** Shows a reply that holds flagged claims; gives their ranges. The DOM stays as it is: highlights only paint. */
function marksOf({ verification }, text) {
  const flagged = (verification?.claims ?? []).filter(({ reason }) => reason !== null);
  if (flagged.length === 0) return [];
  const reply = document.createElement("pre");
  reply.append(text);
  const list = document.createElement("ul"); // Highlights say nothing to a screen reader; the list does.
  list.append(...flagged.map(({ text, reason }) => item(`“${text}”: ${reason}`)));
  turns.append(reply, list);
  return flagged.map(({ span }) => {
    const range = new Range();
    range.setStart(reply.firstChild, span.start);
    range.setEnd(reply.firstChild, span.end);
    return range;
  });
}

function item(text) {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}

const textOf = (reply) => (typeof reply === "string" ? reply : reply.map((piece) => piece.text).join("\n\n"));

box.addEventListener("input", show);
document.body.dataset.ready = "";
