/** Marks flagged claims in a pasted session. The head of index.html says how to serve the page. */

const [box, summary, notes, turns] = ["session", "summary", "notes", "turns"].map((id) => document.getElementById(id));
const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
let asked = 0; // What an earlier text gave is not wanted any more.

box.addEventListener("input", check);
worker.addEventListener("error", () => clear("The Worker could not be started. Is the package beside this page?"));
worker.addEventListener("message", ({ data }) => {
  if (data.error && (data.number ?? asked) === asked) clear(data.error);
  else if (data.number === asked) show(data);
});
check(); // Browsers may fill the box again when they load a page anew.

function check() {
  const text = box.value.trim();
  asked += 1;
  clear(text && "Checking…");
  if (text) worker.postMessage({ number: asked, text });
}

function clear(said) {
  summary.textContent = said;
  CSS.highlights.clear();
  for (const list of [notes, turns]) list.replaceChildren();
}

function show(found) {
  const { claims, flagged, turns: number } = found.totals;
  summary.textContent = `${count(claims, "claim")} read in ${count(number, "turn")}, ${flagged} flagged`;
  notes.replaceChildren(...found.notes.map((note) => made("li", note)));
  CSS.highlights.set("flagged", new Highlight(...found.turns.flatMap(marks)));
  const more = flagged - found.turns.reduce((sum, turn) => sum + turn.claims.length, 0);
  if (more > 0) turns.append(made("p", `+${more} more`));
}

/** Shows a reply that holds flagged claims; gives their ranges. The DOM stays as it is: highlights only paint. */
function marks({ turn, claims, reply }) {
  const text = document.createTextNode(reply);
  const list = claims.map(({ text, reason }) => made("li", `“${text}”: ${reason}`)); // For screen readers, too.
  turns.append(made("h2", `Turn ${turn}`), made("pre", text), made("ul", ...list));
  return claims.map(({ span }) => {
    const range = new Range();
    range.setStart(text, span.start);
    range.setEnd(text, span.end);
    return range;
  });
}

function made(name, ...parts) {
  const element = document.createElement(name);
  element.append(...parts);
  return element;
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
