// Trifold: a full-screen terminal for coding agents. Reads arguments, picks a command; nothing else.

import { runCommandLine } from "./src/app/commands.ts";

if (import.meta.main) Deno.exit(await runCommandLine(Deno.args));
