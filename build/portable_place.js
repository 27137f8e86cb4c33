// Run once by the head of a portable executable, with Deno just unpacked: writes the program's files beside it and
// renames the directory to its final name. Has no apostrophe: it stands between two in the head.
const [file, at, length, made, home] = Deno.args;
const source = Deno.openSync(file);
source.seekSync(Number(at), Deno.SeekMode.Start);
const packed = new Uint8Array(Number(length));
for (let done = 0; done < packed.length;) {
  const read = source.readSync(packed.subarray(done));
  if (read === null) throw new Error(`Cannot unpack ${file}: it is cut off`);
  done += read;
}
const text = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
const files = JSON.parse(await text);
Deno.mkdirSync(`${made}/app`);
for (const [name, content] of Object.entries(files)) Deno.writeTextFileSync(`${made}/${name}`, content);
Deno.chmodSync(`${made}/trifold`, 0o700);
// What Deno itself kept for this one run.
Deno.removeSync(`${made}/first`, { recursive: true });
try {
  Deno.renameSync(made, home);
} catch (error) {
  // Another start was first: its files are the same.
  try {
    Deno.statSync(`${home}/trifold`);
  } catch {
    throw error;
  }
}
// Left by starts that were cut off.
const cache = made.slice(0, made.lastIndexOf("/"));
for (const entry of Deno.readDirSync(cache)) {
  if (!entry.name.startsWith(".new-")) continue;
  try {
    const changed = Deno.statSync(`${cache}/${entry.name}`).mtime?.getTime() ?? Infinity;
    if (Date.now() - changed > 3_600_000) Deno.removeSync(`${cache}/${entry.name}`, { recursive: true });
  } catch {
    // Its own start is done with it.
  }
}
