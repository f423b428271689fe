/** The address of the wasm file, from a bundler that hands out files. */
declare const address: string;
export default address;
