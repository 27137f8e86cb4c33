// Every action by name, with its label, and the keys that ask for it until a config file says otherwise.
// What an action does is said elsewhere; how a key finds its action is keymap.ts's.

/** Where keys go: typing, the selected block of the transcript, a panel that has the keys; "anywhere" is behind all. */
export type Place = "composer" | "history" | "panel" | "anywhere";

/** The places in the order in which help names them. */
export const PLACES = ["anywhere", "composer", "history", "panel"] as const satisfies readonly Place[];

/** The groups of help, in its order. */
export const ACTION_GROUPS = ["view", "places", "message", "editing", "agent", "panel"] as const;
export type ActionGroup = typeof ACTION_GROUPS[number];

/** All actions. The order is the order of help. */
export const ACTIONS = {
  scroll_up: { group: "view", label: "scroll a line up" },
  scroll_down: { group: "view", label: "scroll a line down" },
  page_up: { group: "view", label: "scroll a page up" },
  page_down: { group: "view", label: "scroll a page down" },
  half_page_up: { group: "view", label: "scroll half a page up" },
  half_page_down: { group: "view", label: "scroll half a page down" },
  previous_turn: { group: "view", label: "to the previous turn" },
  next_turn: { group: "view", label: "to the next turn" },
  to_start: { group: "view", label: "to the start" },
  to_end: { group: "view", label: "to the end, and follow" },
  fold_next: { group: "view", label: "next fold mode" },
  fold_overview: { group: "view", label: "fold mode overview" },
  fold_normal: { group: "view", label: "fold mode normal" },
  fold_detail: { group: "view", label: "fold mode detail" },
  fold_block: { group: "view", label: "fold or unfold the selected block" },
  copy_block: { group: "view", label: "copy the selected block" },
  toggle_reasoning: { group: "view", label: "show or hide reasoning" },
  toggle_plan: { group: "view", label: "show or hide the plan" },
  find: { group: "view", label: "find a text in the transcript" },
  find_older: { group: "view", label: "find it again, above" },
  find_newer: { group: "view", label: "find it again, below" },
  redraw: { group: "view", label: "draw the screen again" },
  help: { group: "view", label: "help" },
  switch_place: { group: "places", label: "between message and history" },
  to_composer: { group: "places", label: "back to the message" },
  select_previous: { group: "places", label: "select the block above" },
  select_next: { group: "places", label: "select the block below" },
  escape: { group: "places", label: "close what is open; interrupt a running turn" },
  leave: { group: "places", label: "clear the message; twice: leave, the agent goes on" },
  suspend: { group: "places", label: "suspend" },
  submit: { group: "message", label: "send; resume when paused" },
  newline: { group: "message", label: "new line" },
  older_prompt: { group: "message", label: "older message" },
  newer_prompt: { group: "message", label: "newer message" },
  search_prompts: { group: "message", label: "search older messages" },
  toggle_placeholder: { group: "message", label: "expand or fold the paste before the caret" },
  open_editor: { group: "message", label: "edit the message in an editor" },
  unqueue: { group: "message", label: "take the newest queued message back" },
  caret_left: { group: "editing", label: "left" },
  caret_right: { group: "editing", label: "right" },
  caret_up: { group: "editing", label: "up a row; older message from the first" },
  caret_down: { group: "editing", label: "down a row; newer message from the last" },
  caret_line_start: { group: "editing", label: "start of the line" },
  caret_line_end: { group: "editing", label: "end of the line" },
  caret_word_left: { group: "editing", label: "word left" },
  caret_word_right: { group: "editing", label: "word right" },
  select_left: { group: "editing", label: "select to the left" },
  select_right: { group: "editing", label: "select to the right" },
  select_line_start: { group: "editing", label: "select to the start of the line" },
  select_line_end: { group: "editing", label: "select to the end of the line" },
  delete_left: { group: "editing", label: "delete to the left" },
  delete_right: { group: "editing", label: "delete to the right" },
  delete_word_left: { group: "editing", label: "delete the word to the left" },
  delete_word_right: { group: "editing", label: "delete the word to the right" },
  kill_line_start: { group: "editing", label: "cut to the start of the line" },
  kill_line_end: { group: "editing", label: "cut to the end of the line" },
  yank: { group: "editing", label: "put back what was cut" },
  undo: { group: "editing", label: "undo" },
  redo: { group: "editing", label: "redo" },
  delete_or_shutdown: { group: "agent", label: "delete forward; empty message: shut the agent down" },
  panel_up: { group: "panel", label: "mark up" },
  panel_down: { group: "panel", label: "mark down" },
  panel_mark: { group: "panel", label: "mark that option" },
  panel_check: { group: "panel", label: "check the option" },
  panel_answer: { group: "panel", label: "answer" },
  panel_free_text: { group: "panel", label: "answer in own words" },
  panel_page_up: { group: "panel", label: "scroll the panel up" },
  panel_page_down: { group: "panel", label: "scroll the panel down" },
  panel_leave: { group: "panel", label: "leave the panel open, back to the message" },
} as const satisfies Readonly<Record<string, { readonly group: ActionGroup; readonly label: string }>>;

/** The name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** Whether there is an action of that name. */
export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** Key sequences in text form, by place and action. */
export type KeysByPlace = Readonly<Record<Place, Readonly<Partial<Record<ActionName, readonly string[]>>>>>;

/**
 * The keys without a config file. Esc, Tab, Enter and Backspace are never bound as Ctrl-[ I M H, for terminals send
 * the same byte for both; every Alt key has a twin without Alt, for not all terminals send Alt.
 */
export const DEFAULT_KEYS: KeysByPlace = {
  anywhere: {
    scroll_up: ["<S-Up>"],
    scroll_down: ["<S-Down>"],
    page_up: ["<PgUp>"],
    page_down: ["<PgDn>"],
    previous_turn: ["<A-Up>"],
    next_turn: ["<A-Down>"],
    to_start: ["<C-Home>"],
    to_end: ["<C-End>"],
    fold_next: ["<C-o>", "<F2>"],
    toggle_reasoning: ["<C-r>"],
    toggle_plan: ["<C-t>"],
    find: ["<C-f>"],
    redraw: ["<C-l>"],
    help: ["<F1>"],
    switch_place: ["<Tab>", "<F6>"],
    escape: ["<Esc>"],
    leave: ["<C-c>"],
    suspend: ["<C-z>"],
    open_editor: ["<C-g>"],
    unqueue: ["<C-x><C-q>"],
    delete_or_shutdown: ["<C-d>"],
  },
  composer: {
    submit: ["<Enter>"],
    newline: ["<S-Enter>", "<A-Enter>", "<C-j>"],
    older_prompt: ["<C-p>"],
    newer_prompt: ["<C-n>"],
    search_prompts: ["<C-s>"],
    toggle_placeholder: ["<C-x><C-e>"],
    caret_left: ["<Left>"],
    caret_right: ["<Right>"],
    caret_up: ["<Up>"],
    caret_down: ["<Down>"],
    caret_line_start: ["<Home>", "<C-a>"],
    caret_line_end: ["<End>", "<C-e>"],
    caret_word_left: ["<C-Left>", "<A-b>"],
    caret_word_right: ["<C-Right>", "<A-f>"],
    select_left: ["<S-Left>"],
    select_right: ["<S-Right>"],
    select_line_start: ["<S-Home>"],
    select_line_end: ["<S-End>"],
    delete_left: ["<Backspace>"],
    delete_right: ["<Delete>"],
    delete_word_left: ["<C-w>", "<A-Backspace>"],
    delete_word_right: ["<C-Delete>", "<A-d>"],
    kill_line_start: ["<C-u>"],
    kill_line_end: ["<C-k>"],
    yank: ["<C-y>"],
    undo: ["<C-_>"],
    redo: ["<C-x><C-_>", "<A-_>"],
  },
  history: {
    page_up: ["b"],
    page_down: ["f"],
    half_page_up: ["u", "<C-u>"],
    half_page_down: ["d", "<C-d>"],
    previous_turn: ["["],
    next_turn: ["]"],
    to_start: ["g"],
    to_end: ["G"],
    fold_overview: ["1"],
    fold_normal: ["2"],
    fold_detail: ["3"],
    fold_block: ["<Space>", "<Enter>"],
    copy_block: ["y"],
    find: ["/"],
    find_older: ["n"],
    find_newer: ["N"],
    select_previous: ["k", "<Up>"],
    select_next: ["j", "<Down>"],
    to_composer: ["i"],
    help: ["?"],
  },
  panel: {
    panel_up: ["<Up>"],
    panel_down: ["<Down>"],
    panel_mark: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    panel_check: ["<Space>"],
    panel_answer: ["<Enter>"],
    panel_free_text: ["<Tab>", "c"],
    panel_page_up: ["<PgUp>"],
    panel_page_down: ["<PgDn>"],
    panel_leave: ["<F6>"],
  },
};
