/** `counterfoil eval …`: readers and a model over labelled turns. Every word that it prints comes from the core. */

import { type AuditLog, auditLog } from "./audit-log.js";
import { Eval, evalAsked, evalFailure, type Output } from "./core/counterfoil_cli.js";
import { attempt, CounterfoilError } from "./error.js";
import { Bar, contents, describe, piecesOf, reason, write } from "./host.js";
import { type Callback, named } from "./models.js";
import { ask, checked } from "./step.js";

/** What the core makes of the words. */
interface Wanted {
  files: string[];
  model: string | null;
  base: string | null;
  timeout: number;
  compare: string | null;
  audit: string | null;
}

/** Does what the words behind `eval` ask for; gives the exit status. */
export async function run(words: string[]): Promise<number> {
  const asked = JSON.parse(evalAsked(words)) as { answer?: Output; eval?: Wanted };
  if (asked.answer) return ended(asked.answer);
  const wanted = asked.eval as Wanted;
  let model: Callback | undefined;
  let evaluation: Eval;
  let old: string | undefined;
  try {
    model = wanted.model === null ? undefined : named(wanted.model, wanted.base ?? undefined);
    await model?.ready();
    evaluation = attempt(() => new Eval(words));
    old = wanted.compare === null ? undefined : textOf(wanted.compare);
  } catch (failure) {
    return ended(evalFailure(told(failure, describe)));
  }
  for (const file of wanted.files) {
    try {
      const text = textOf(file);
      attempt(() => evaluation.add(file, text));
    } catch (failure) {
      return ended(evalFailure(`${file}: ${told(failure, reason)}`));
    }
  }
  try {
    const log = wanted.audit === null ? undefined : auditLog(wanted.audit);
    try {
      await steps(evaluation, model, wanted.timeout, log);
    } finally {
      log?.close();
    }
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).errno === undefined) throw failure;
    return ended(evalFailure(`--audit: ${describe(failure)}`));
  }
  return ended(evaluation.finish(old));
}

/** Runs one step after another, and tells each how long it took. */
async function steps(evaluation: Eval, model: Callback | undefined, timeout: number, log?: AuditLog): Promise<void> {
  const asked = model && checked({ model, timeout: timeout * 1000 });
  const bar = new Bar(undefined, model === undefined);
  for (;;) {
    const started = performance.now();
    const request = evaluation.next();
    if (request === undefined) break;
    const given = request === "" || !asked ? undefined : await ask(JSON.parse(request), asked);
    evaluation.took((performance.now() - started) / 1000, given);
    const events = evaluation.events();
    if (events !== "") log?.lines(events);
    bar.show(evaluation.progress());
  }
  bar.clear();
}

/** A file's text. */
function textOf(file: string): string {
  const bytes = Buffer.concat([...(file === "-" ? piecesOf(0) : contents(file))]);
  return new TextDecoder().decode(bytes);
}

/** What is wrong, in the words of the core or of the system. */
function told(failure: unknown, words: (failure: unknown) => string): string {
  return failure instanceof CounterfoilError ? failure.message : words(failure);
}

function ended(output: Output): number {
  write(output);
  return output.exit;
}
