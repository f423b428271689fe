/** What loads the core before a call: at once in Node, never in a browser, where `init` has to be awaited. */
let loader: () => void = () => {
  throw new Error("counterfoil is not loaded yet: await init() before the first call");
};

/** Sets how the core is loaded. */
export function loadWith(load: () => void): void {
  loader = load;
}

/** Makes sure that the core is loaded. */
export function ready(): void {
  loader();
}
