/** What loads a core before a call: at once in Node, never in a browser, where `init` has to be awaited. */
export interface Loader {
  /** Sets how the core is loaded. */
  loadWith(load: () => void): void;
  /** Makes sure that the core is loaded. */
  ready(): void;
}

/** A loader of one core. */
export function loader(): Loader {
  let load = (): void => {
    throw new Error("counterfoil is not loaded yet: await init() before the first call");
  };
  return {
    loadWith: (how) => {
      load = how;
    },
    ready: () => load(),
  };
}

export const { loadWith, ready } = loader();
