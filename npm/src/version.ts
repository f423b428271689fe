/** The version of the package, the same as the core's. */
export const version = "0.1.0";
