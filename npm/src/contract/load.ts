/** What loads the core of verification contracts: another one than the package's. */

import { loader } from "../load.js";

export const { loadWith, ready } = loader();
