/** `counterfoil canary …`: the vectors, the test of the build, and the server. Every word it prints comes from the core. */

import { randomBytes } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getSystemErrorMap } from "node:util";
import * as core from "../core/counterfoil_cli.js";
import { Canary, handler, listener } from "./node.js";

interface Answer {
  stdout: string;
  stderr: string;
  exit: number;
}

interface Serve {
  host: string;
  port: number;
  base: string;
  allow: string[];
  per_minute: number;
}

/** So many are taken at once. */
const CONNECTIONS = 1024;

/** Does what the words behind `canary` ask for, and sets the exit status. */
export function run(words: string[]): void {
  core.initSync({ module: readFileSync(new URL("../core/counterfoil_cli_bg.wasm", import.meta.url)) });
  const asked: { answer?: Answer; vectors?: string; serve?: Serve } = JSON.parse(
    core.canary_asked(words, randomBytes(32)),
  );
  if (asked.serve) serve(asked.serve);
  else ended(asked.vectors === undefined ? (asked.answer as Answer) : vectors(asked.vectors));
}

function vectors(file: string): Answer {
  try {
    if (file === "") throw new Error("the name is empty");
    return core.canary_vectors(file, new TextDecoder().decode(readFileSync(file === "-" ? 0 : file)));
  } catch (failure) {
    return core.canary_failure(`${file}: ${reason(failure)}`);
  }
}

/** Serves until it is told to end. */
function serve({ host, port, base, allow, per_minute }: Serve): void {
  const canary = new Canary(randomBytes(32));
  const audit = (event: object): void => say(`${JSON.stringify(event)}\n`); // It holds no sentinel.
  const server = createServer(listener(handler(canary, { base, hosts: allow, perMinute: per_minute, audit })));
  server.maxConnections = CONNECTIONS;
  server.on("error", (failure) => ended(core.canary_failure(`${host}, port ${port}: ${reason(failure)}`)));
  server.listen(port, host, () => {
    const stdout = core.canary_started(host, (server.address() as AddressInfo).port, base);
    ended({ stdout, stderr: "", exit: 0 });
  });
}

function ended({ stdout, stderr, exit }: Answer): void {
  process.exitCode = exit;
  try {
    put(1, stdout);
  } catch (failure) {
    // A full disk takes nothing more. The reader of a pipe that has gone, as with `| head`, is no failure.
    const gone = (failure as NodeJS.ErrnoException).code === "EPIPE";
    process.exitCode = gone ? 0 : 2;
    if (!gone) say(`counterfoil: standard output: ${reason(failure)}\n`);
    return;
  }
  say(stderr);
}

/** Writes to standard error. One that takes nothing is left alone. */
function say(text: string): void {
  try {
    put(2, text);
  } catch {
    // Nobody reads it.
  }
}

/** Writes at once, so that nothing is lost at the exit. */
function put(stream: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(stream, bytes, done);
}

/** Why something could not be done, in the words of the system, with a capital as Python has them. */
function reason(failure: unknown): string {
  const { errno, code, message } = failure as NodeJS.ErrnoException;
  const words = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  if (code === "EISDIR") return "Is a directory";
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : message;
}
