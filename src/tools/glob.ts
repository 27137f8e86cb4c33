// Glob: the first found names as the tool gave them.

import { searchLook } from "./search.ts";
import { rendererOf } from "./stages.ts";

/** Draws a call that finds files by name. */
export const renderGlob = rendererOf(searchLook);
