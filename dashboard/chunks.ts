/**
 * Which scripts the page is made of. What the page needs at once is one file; screens that one goes to and fro between are
 * one file too, because small files compress badly and repeat names.
 */

/** What a bundler tells of its modules. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The scripts by the folders of src/ and of the client library that they hold, beside what the page needs at once. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  account: ["account", "keys", "usage", "views"],
  filter: ["filter", "code"],
  // Imported by way of the library's index, whose imports tell nothing: most of it is left out.
  first: ["filters/matches", "filters/title"],
  items: ["item", "score"],
  operator: ["operator"],
  parts: ["parts", "shell", "feed", "core", "charts", "filters/curl", "sign-in"],
  rarely: ["stream", "http", "filters"],
  watch: ["replay", "symbol"],
  webhooks: ["webhooks"],
};
const folders = Object.entries(scripts)
  .flatMap(([name, inside]) => inside.map((folder) => [folder, name] as const))
  .sort(([a], [b]) => b.length - a.length);

/** The name of the script of a module; null: the bundler decides. */
export function chunkNames(): (id: string, modules: Modules) => string | null {
  let first: ReadonlySet<string> | null = null;
  return (id, modules) => {
    first ??= reached(`${import.meta.dirname}/src/main.tsx`, modules);
    if (first.has(id) || id.startsWith("\0")) return "first";
    const path = id.replace(/^.*\/(?:dashboard\/src|sdk\/src|node_modules)\//, "");
    return folders.find(([folder]) => path.startsWith(folder))?.[1] ?? null;
  };
}

/** What a module imports, and what that imports, except by `import()`. */
function reached(from: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([from]);
  // A set gives what is added while it is read.
  for (const id of found)
    if (!id.endsWith("/sdk/src/index.ts"))
      for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
