/** Where a browser takes the core from, and whether what comes is one. */

/** What every wasm file begins with. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/** What came is no wasm file. One kind of failure among others: the next address may hold it. */
class NoWasm extends Error {
  constructor(from: string) {
    super(
      `counterfoil found no wasm file at ${from}: give init the address of counterfoil_bg.wasm; with Vite, import it from ` +
        '"counterfoil/wasm?url" or list "counterfoil" in optimizeDeps.exclude',
    );
  }
}

/**
 * Where the dev servers of Vite 5 to 7 leave the file: they move the script to node_modules/.vite/deps, and not what lies
 * beside it. Put together at run time, so that no bundler takes it for a file of its own.
 */
export function unmoved(script: string, file = "core/counterfoil_bg.wasm"): string | undefined {
  const modules = /^(.*?)\/\.vite\/(?:.+\/)?deps\//.exec(script)?.[1];
  return modules && `${modules}/counterfoil/dist/${file}`;
}

/** The core at the first of the addresses that has it. */
export async function first(addresses: readonly (string | URL)[]): Promise<unknown> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await wasm(address);
    } catch (reason) {
      failure = reason;
    }
  }
  throw failure;
}

/** What `init` was given, fetched where it is an address. */
export async function wasm(source: unknown): Promise<unknown> {
  if (typeof source === "string" || source instanceof URL || source instanceof Request) {
    const address = source instanceof Request ? source.url : String(source);
    try {
      return await checked(await fetch(source), address);
    } catch (cause) {
      if (cause instanceof NoWasm) throw cause;
      throw new Error(`counterfoil could not fetch its core from ${address}`, { cause });
    }
  }
  return source instanceof Response ? checked(source, source.url) : source;
}

/** A response that says what it is goes on as a stream; else its bytes tell. A dev server sends its page for a lost file. */
async function checked(response: Response, address: string): Promise<Response | ArrayBuffer> {
  if (!response.ok) throw new NoWasm(address);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) return response;
  const bytes = await response.arrayBuffer();
  const start = new Uint8Array(bytes.slice(0, MAGIC.length));
  if (MAGIC.some((byte, i) => start[i] !== byte)) throw new NoWasm(address);
  return bytes;
}
