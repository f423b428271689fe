/** Why something did not work, in the words of the C library, as Python has them. */

import { getSystemErrorMap } from "node:util";

/** Where the C library's words are not those of Node. */
const WORDS: Record<string, string> = {
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
};

/** The name of a failure of the system, such as `ENOENT`. */
export function code(failure: unknown): string | undefined {
  return (failure as NodeJS.ErrnoException | undefined)?.code;
}

/** Why a file could not be read, without its name. */
export function reason(failure: unknown): string {
  const { errno, message } = failure as NodeJS.ErrnoException;
  const [name, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || ["", ""];
  return WORDS[name] ?? (words ? words.charAt(0).toUpperCase() + words.slice(1) : message);
}
