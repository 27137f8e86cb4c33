// Standard output of the commands that show no screen. Its reader may go away, as `head` does.

/** Writes all of it; false when the reader has gone away. */
export async function writeOut(text: string): Promise<boolean> {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return false;
    throw error;
  }
}
