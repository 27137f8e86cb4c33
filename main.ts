// Trifold: a full-screen terminal for coding agents. Reads arguments, picks a command; nothing else.

// What is loaded later needs it too, but Deno keeps what it compiled of a library's main module only where the first
// modules of a program name it: 4 ms of each start.
import "valibot";
import { runCommandLine } from "./src/app/commands.ts";

if (import.meta.main) Deno.exit(await runCommandLine(Deno.args));
