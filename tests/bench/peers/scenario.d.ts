// What ours.ts needs to know of scenario.mjs, which runs in node, bun and Deno alike.

import type { Piece } from "../generate.ts";

export interface Program {
  mount(pieces: readonly Piece[]): void | Promise<void>;
  append(token: string): void | Promise<void>;
  scroll?(rows: number): boolean | void | Promise<boolean | void>;
  resized?(): Promise<number>;
  close?(): void | Promise<void>;
}

export function run(program: Program): Promise<never>;
