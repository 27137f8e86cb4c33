// The libraries that the sources find by where they stand, for a bundle: nothing is found so there.

import type { LibraryLoaders } from "../src/text/libraries.ts";

/** For `useBundledLibraries`. */
export const BUNDLED_LIBRARIES: LibraryLoaders = {
  "diff/lib/patch/create.js": () => import("diff/lib/patch/create.js"),
  marked: () => import("marked"),
  "string-width": () => import("string-width"),
};
