// Grep: the first matches as the tool gave them.

import { searchLook } from "./search.ts";
import { rendererOf } from "./stages.ts";

/** Draws a call that finds text in files. */
export const renderGrep = rendererOf(searchLook);
