/** Calls a case of `contract/*.json` by the rules of `contract/README.md`, on the functions of `counterfoil/contract`. */

/** The functions with what they take before their options. */
const FUNCTIONS = {
  freeze: ["freeze", "contract"],
  check_integrity: ["checkIntegrity", "contract"],
  propose: ["propose", "contract", "checks"],
  revise: ["revise", "contract", "fields"],
  plan: ["plan", "contract", "run_env"],
  check_addresses: ["checkAddresses", "plan", "request_id", "addresses"],
  judge: ["judge", "contract", "plan", "observations", "run_env"],
  verdict: ["verdict", "contract", "results"],
  outcome: ["outcome", "bundle"],
  attest: ["attest", "contract", "bundle"],
  reverify: ["reverify", "files"],
  verify_signature: ["verifySignature", "envelope", "keys"],
  check_types: ["checkTypes"],
  levels: ["levels"],
  codes: ["codes"],
};

function ask(api, name, input) {
  const [own, ...words] = FUNCTIONS[name];
  const options = without(input, words);
  return api[own](...words.map((word) => input[word]), ...(Object.keys(options).length > 0 ? [options] : []));
}

function without(value, names) {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !names.includes(name)));
}

/** Freezes and plans: the plan, and what was asked for it. */
function planned(api, input) {
  let { contract } = input;
  if ((contract?.digest ?? null) === null) {
    const defaults = { now: "2026-01-01T00:05:00Z", by: "human:dana" };
    contract = ask(api, "freeze", { ...defaults, contract, ...input.freeze }).contract;
  }
  const run_env = { now: "2026-01-01T01:00:00Z", workspace: "w", ...input.run_env };
  const asked = { contract, run_env, supplements: input.supplements ?? null };
  return [ask(api, "plan", asked), asked];
}

/** Freezes, plans and judges: the bundle, and the frozen contract. */
function run(api, input, more = {}) {
  const [plan, asked] = planned(api, input);
  const { plan_digest } = plan;
  const observations = (input.observations ?? []).map((seen) => ({ plan_digest, ...seen }));
  const rest = without(input, ["contract", "run_env", "supplements", "observations", "freeze", "plan"]);
  const judged = { ...asked, ...rest, ...more, plan: { ...plan, ...input.plan }, observations };
  return [ask(api, "judge", judged), asked.contract];
}

/** A text with the first of a word replaced; the word has to be there. */
function edited(text, { find, replace }) {
  if (!text.includes(find)) throw new Error(`${find} is not in ${text}`);
  return text.replace(find, () => replace);
}

/** Runs, edits the bundle, and attests. */
function attested(api, input) {
  const [bundle, contract] = run(api, input.run);
  const evidence = (input.edit_bundle ?? []).reduce(edited, canonical(bundle));
  return ask(api, "attest", { contract, bundle: JSON.parse(evidence), now: "2026-01-01T01:00:01Z", ...input.attest });
}

/** The same, then edits the files and reads them back. */
function readBack(api, input) {
  const { files } = attested(api, input);
  for (const edit of input.edits ?? []) {
    if (edit.remove === true) delete files[edit.file];
    else files[edit.file] = edited(files[edit.file] ?? "", edit);
  }
  return ask(api, "reverify", { files, ...input.reverify });
}

/** Plans, and asks about the addresses of a request. */
function addresses(api, input) {
  const [plan] = planned(api, input);
  return ask(api, "check_addresses", { ...without(input, ["contract", "run_env"]), plan });
}

/** Canonical JSON of what the cases hold: its numbers are doubles. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort(); // By UTF-16 code units.
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

/** Calls a case. `more` are options for each judging. */
export function done(api, { call, input }, more) {
  try {
    if (call === "run") return run(api, input, more)[0];
    const work = { attested, read_back: readBack, addresses }[call];
    return work ? work(api, input) : ask(api, call, input);
  } catch (error) {
    if (!(error instanceof api.ContractError)) throw error;
    return { error: error.toJSON() };
  }
}

/** Where a value is not what is expected: of objects the named members count, of arrays all elements. */
export function difference(expected, found, place = "") {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length)
    return expected.map((part, i) => difference(part, found[i], `${place}[${i}]`)).find(Boolean);
  if (typeof expected === "object" && expected !== null && !Array.isArray(expected) && typeof found === "object" && found !== null) {
    const names = Object.keys(expected);
    return names.map((name) => difference(expected[name], found[name] ?? null, `${place}.${name}`)).find(Boolean);
  }
  const equal = JSON.stringify(expected) === JSON.stringify(found);
  return equal ? undefined : `${place}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
}
