/**
 * Which scripts the page is made of. What the page needs at once and what its screens share, charts among it, are one
 * file, since names that go from file to file take room. Each room of screens that one goes to and fro between is one
 * more: its door is imported when it is needed, and what only it needs comes with it. (ADRs 0095 and 0097)
 */
import { basename, dirname } from "node:path";

/** What a bundler tells of its modules. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** Folders of src/ and of the client library whose modules several rooms use; and what follows a refused stream. */
const shared = [
  "charts",
  "parts",
  "forms",
  "draw",
  "core",
  "keys/types",
  "filters",
  "http/",
  "stream/rarely",
];
/** The script that a module belongs to; null: that of the only room which needs it. */
export function chunkNames(): (id: string, modules: Modules) => string | null {
  let first: ReadonlySet<string> | null = null;
  return (id, modules) => {
    first ??= reached(`${import.meta.dirname}/src/main.tsx`, modules);
    // Imported by way of the library's index, whose imports tell nothing: most of it is left out.
    if (first.has(id) || /filters\/(matches|title)/.test(id)) return "first";
    const path = id.replace(/^.*\/(?:dashboard\/src|sdk\/src|node_modules)\//, "");
    return shared.some((folder) => path.startsWith(folder)) ? "first" : null;
  };
}

/** A room's script has the name of its folder. */
export const fileName = ({
  name,
  facadeModuleId,
}: {
  name: string;
  facadeModuleId?: string | null;
}): string => `assets/${name === "door" ? basename(dirname(facadeModuleId ?? "")) : name}-[hash:6].js`;

/** What a module imports, and what that imports, except by `import()`. */
function reached(from: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([from]);
  // A set gives what is added while it is read.
  for (const id of found)
    if (!id.endsWith("/sdk/src/index.ts"))
      for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
