// The whole of what changes the state: what happens outside, and what a person does. A client begins with the first of
// them, and has the other behind its first frame.

import { sync, takePersonPart, transcriptHeight, update } from "./update_events.ts";
import { PERSON_PART } from "./update_person.ts";

takePersonPart(PERSON_PART);

export { sync, transcriptHeight, update };
