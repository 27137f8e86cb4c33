// Where our pods are on this machine.

import { type Places, placesOf } from "../../pod/places.ts";
import { ownDirectory } from "./directories.ts";

/** Where pods live on this machine; null where the environment names no home. */
export function podPlaces(): Places | null {
  const state = ownDirectory("state");
  return state === null ? null : placesOf(state);
}

/** Said where there is no such place. */
export const NO_PLACE = "Cannot keep pods: neither XDG_STATE_HOME nor HOME names a directory";
