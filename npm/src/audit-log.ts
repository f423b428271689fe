/** A file of audit events, in Node. */

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { AuditEvent } from "./events.js";

/** A file of audit events, one line of JSON each. It is a function of an event, so that it serves as `audit` of `verify`. */
export interface AuditLog {
  (event: AuditEvent | Readonly<Record<string, unknown>>): void;
  /** Appends whole lines in one piece. */
  lines(lines: string): void;
  /** Waits until the disk has all of it, and closes it. Further calls do nothing. */
  close(): void;
  /** The same as `close`, for `using`. */
  [Symbol.dispose](): void;
}

/** Opens a file of audit events, to append to it. */
export function auditLog(path: string | Uint8Array | URL): AuditLog {
  let file: number | undefined = openSync(path instanceof Uint8Array ? Buffer.from(path) : path, "a");
  const lines = (text: string): void => {
    if (file === undefined) throw new Error("the audit log is closed");
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  };
  const close = (): void => {
    if (file === undefined) return;
    const open = file;
    file = undefined;
    try {
      fsyncSync(open);
    } catch {
      // A pipe or a terminal has no disk.
    } finally {
      closeSync(open);
    }
  };
  const log = (event: object): void => lines(`${JSON.stringify(event)}\n`);
  return Object.assign(log, { lines, close, ...(Symbol.dispose && { [Symbol.dispose]: close }) }) as AuditLog;
}
