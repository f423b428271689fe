/**
 * What the vectors of tests/model ask of the npm package. The same code runs in Node (npm/test/model.test.mjs) and in
 * Chromium (npm/test/browser.test.mjs). Each of `checks` gives the faults that it found.
 */

const ENCODER = new TextEncoder();
const MOST = 6000;

/** A callback that does what a vector says came of a request. */
function answering(given) {
  const failures = {
    timeout: () => new Promise(() => {}),
    raised: () => Promise.reject(new Error("no")),
    cancelled: () => Promise.reject(new DOMException("given up", "AbortError")),
    wrong_type: () => 3,
    refused: () => ({ refusal: "no" }),
    unreadable: () => "",
  };
  return "failure" in given ? failures[given.failure] : () => given.answer;
}

/** Every step of one turn. */
async function steps(cases, { verify }) {
  return faults(cases, async (wanted) => {
    const options = wanted.options ?? { mode: "model" };
    const given = wanted.given ?? { answer: "" };
    const requests = [];
    const model = (request) => {
      requests.push(request);
      return answering(given)();
    };
    const timeout = given.failure === "timeout" ? 20 : 10_000;
    const result = await verify(wanted.turn, { ...options, model, timeout });
    const [request = null] = requests;
    same(requests.length, wanted.request === null ? 0 : 1, "requests");
    if (request) prompt(request, wanted.request, line);
    if ("result" in wanted) outcome(wanted.result, result, textOf(wanted.turn.reply));
  });
}

/** Requests about many claims. */
async function many(cases, { planMany, finishMany, verifySession }) {
  return faults(cases, async (wanted) => {
    const options = wanted.options ?? { mode: "model" };
    const session = { turns: wanted.turns };
    const rest = [...wanted.given];
    const requests = [];
    const model = (request) => {
      requests.push(request);
      return answering(rest.shift() ?? { failure: "cancelled" })();
    };
    const report = await verifySession(session, { ...options, model, timeout: 1000 });
    same(requests.length, wanted.requests.length, "requests");
    if (options.mode === "model") {
      const planned = planMany(session, options);
      same(planned.map(({ questions }) => Object.keys(questions)), wanted.requests.map(({ questions }) => questions));
      same(planned.map(({ request }) => request), requests);
      planned.forEach(({ request }, i) => {
        prompt(request, wanted.requests[i], manyLine);
      });
      const answers = wanted.given.map((given) => given.answer ?? null);
      if (!wanted.given.some((given) => "failure" in given)) same(finishMany(session, answers, options), report);
    }
    if (wanted.report.totals) same(report.totals, wanted.report.totals, "totals");
    (wanted.report.turns ?? []).forEach((turn, i) => {
      outcome(turn, report.turns[i].verification, textOf(wanted.turns[i].reply));
    });
  });
}

/** Events of results. */
async function events(cases, { audit, evaluation }) {
  return faults(cases, async (wanted) => {
    same(audit(wanted.result, wanted.about), wanted.event, "event");
    same(evaluation(wanted.result, wanted.about), wanted.evaluation, "evaluation");
  });
}

/** Texts that try to steer whoever reads them: the readers stay as they were, and a request shows them as data. */
async function injection(cases, { verify }) {
  const fixed = "I removed the file `a.txt`. `wc -c notes.md` exited with 1.\n\nThanks for waiting.";
  const open = "I rebooted the router and the lamp turned green. It returned.\n\nThanks for waiting.";
  const told = (result) => [result.status, result.line, result.claims.map((c) => [c.text, c.verdict, c.reason])];
  const expected = told(verify(steered({ where: "", text: "" }, fixed)));
  return faults(cases, async (attempt) => {
    const requests = [];
    const model = (request) => {
      requests.push(request);
      return "";
    };
    same(told(verify(steered(attempt, fixed))), expected, "readers");
    same(told(await verify(steered(attempt, fixed), { model })), expected, "readers before a model");
    same(requests.length, 0, "requests where a reader flags");
    await verify(steered(attempt, open), { model });
    const data = prompt(requests[0], {}, line);
    const quoted = JSON.stringify(attempt.text).slice(1, -1);
    same(data.includes(attempt.text) || data.includes(quoted), true, "the text stands among the data");
  });
}

function steered({ where, text }, reply) {
  const at = (place) => (where === place ? text : "");
  return {
    reply: `${reply}\n\n${at("reply")}`,
    calls: [
      { tool: "list_devices", arguments: { filter: at("argument") }, output: `router, lamp\n${at("output")}`, status: "ok" },
      { tool: "bash", arguments: { command: "wc -c notes.md" }, output: `${at("output")}\n0 lines`, exit: 1 },
    ],
  };
}

/** Checks a request, and gives what stands between its marks. */
function prompt(request, wanted, ours) {
  const { system, prompt, bytes, temperature, thinking, tools } = request;
  same(bytes, ENCODER.encode(system + prompt).length, "bytes");
  same(bytes <= MOST, true, "at most 6,000 bytes");
  same([temperature, thinking, tools], [0, false, "none"], "settings");
  const { contains = [], absent = [], ordered = [] } = wanted;
  same(contains.filter((text) => !prompt.includes(text)), [], `the prompt lacks`);
  same(absent.filter((text) => prompt.includes(text)), [], `the prompt holds`);
  const places = ordered.map((text) => prompt.indexOf(text));
  same(places.every((place, i) => place >= 0 && place >= (places[i - 1] ?? 0)), true, "order");
  const [data, outside] = parted(prompt);
  same(outside.filter((text) => !ours(text)), [], "outside the data");
  return data;
}

/** What stands between the marks of a prompt, and the lines outside them. */
function parted(prompt) {
  const mark = prompt.split("\n")[0].replace("The mark is ", "");
  const [data, outside] = [[], []];
  let inside = false;
  for (const text of prompt.split("\n")) {
    if (inside ? text === `>>> ${mark}` : text === `<<< ${mark}`) inside = !inside;
    else (inside ? data : outside).push(text);
  }
  same(inside, false, "what is opened is closed");
  same(data.join("\n").includes(mark), false, "the mark occurs in the data");
  return [data.join("\n"), outside];
}

const COUNTS =
  /^Calls of this turn: \d+\. Calls of earlier turns: \d+\.( \d+ of them are left out, and may have produced anything that their tools can\.)?( One JSON object a line:)?$/;
const END = "Here the data ends. ";

/** Whether a line outside the data is one of the fixed lines. */
const line = (text) =>
  text === "" || text === "The reply:" || /^The mark is \S{8,20}$/.test(text) || text.startsWith(END) || COUNTS.test(text);
const manyLine = (text) => line(text) || COUNTS.test(text.replace(/^Turn \d+, its claims and then its calls\. /, ""));

/** Compares the keys of a result that a vector names. */
function outcome(wanted, found, reply) {
  if (wanted === null || found === null) {
    same(found, wanted, "result");
    return;
  }
  for (const [key, value] of Object.entries(wanted)) if (key !== "claims") same(found[key], value, key);
  if (!wanted.claims) return;
  const seen = found.claims.map((claim) => ({ ...claim, quote: reply.slice(claim.span.start, claim.span.end) }));
  const keys = (i) => Object.keys(wanted.claims[i] ?? {});
  same(seen.map((claim, i) => Object.fromEntries(keys(i).map((key) => [key, claim[key]]))), wanted.claims, "claims");
}

/** Runs each case, and gives a line for each that is not as it should be. */
async function faults(cases, check) {
  const found = [];
  for (const [i, wanted] of cases.entries()) {
    try {
      await check(wanted);
    } catch (error) {
      found.push(`${wanted.name ?? i}: ${error.message}`);
    }
  }
  return found;
}

const textOf = (reply) => (typeof reply === "string" ? reply : reply.map((piece) => piece.text).join("\n\n"));

/** JSON values compare as their text with sorted keys. */
function same(found, wanted, what = "") {
  const sorted = (_, v) => (isObject(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v);
  const [a, b] = [JSON.stringify(found, sorted), JSON.stringify(wanted, sorted)];
  if (a !== b) throw new Error(`${what}: found ${a}, not ${b}`);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** By the names of their files: what holds the vectors of one against the functions of the package. */
export const checks = { "steps.json": steps, "many.json": many, "audit.json": events, "injection.json": injection };
