// Libraries that are loaded when they are first wanted, found by where they stand: Deno keeps what it compiled of an
// npm package's main module only then. One that an import() names by its bare name is parsed anew at each start, of
// which marked takes 3 ms before a first frame. A bundle has them within: build/main.ts hands them in.

/** What may be loaded late, by name. */
export interface Libraries {
  /** Of `diff` the module that is used, and not the 20 others. */
  readonly "diff/lib/patch/create.js": typeof import("diff/lib/patch/create.js");
  readonly marked: typeof import("marked");
  readonly "string-width": typeof import("string-width");
}

/** How each is loaded. */
export type LibraryLoaders = { readonly [Name in keyof Libraries]: () => Promise<Libraries[Name]> };

let bundled: LibraryLoaders | null = null;

/** Loads them from a bundle from now on. */
export function useBundledLibraries(loaders: LibraryLoaders): void {
  bundled = loaders;
}

/** Loads one of them. Rejects when it is not there. */
export function loadLibrary<Name extends keyof Libraries>(name: Name): Promise<Libraries[Name]> {
  return bundled?.[name]() ?? import(import.meta.resolve(name));
}
