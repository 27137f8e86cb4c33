// Hands the draft to the pod shortly after it changed, so that a client that is killed loses a second of typing at
// most, and whoever attaches next gets it back.

import { type Draft, draftParts, isEmptyDraft } from "../../input/draft.ts";
import type { Method } from "../../transcript/method.ts";

export interface DraftKeeper {
  /** Looks whether the draft has changed. Cheap: called after every input. */
  look(): void;
  /** The pod has told its history: what is in the draft is to be there too, now. */
  attached(): void;
  /** Hands it over at once if it has changed. */
  flush(): void;
}

/** From a change to the pod knowing of it. Not put off by further changes. */
const KEEP_MS = 700;

export function createDraftKeeper(draft: Draft, send: (method: Method) => void): DraftKeeper {
  let kept = draft.version;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    // Where no timer ran, none is stopped: a process pays 5 ms for its first use of one, and a first frame waits here.
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    if (draft.version === kept) return;
    kept = draft.version;
    send({ method: "keep_draft", params: { parts: draftParts(draft) } });
  };
  return {
    look: () => {
      if (draft.version !== kept && timer === undefined) timer = setTimeout(flush, KEEP_MS);
    },
    attached: () => {
      if (!isEmptyDraft(draft)) kept = -1;
      flush();
    },
    flush,
  };
}
