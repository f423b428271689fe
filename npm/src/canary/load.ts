/** What loads the core of proof of read: another one than the package's. */

import { loader } from "../load.js";

export const { loadWith, ready } = loader();
