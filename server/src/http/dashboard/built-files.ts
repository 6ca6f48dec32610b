import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { EncodedBody } from "../wire/wire.ts";

/** A file of the built dashboard. */
export interface Asset {
  readonly body: EncodedBody;
  readonly type: string;
}

/** What tools/build-dashboard.mjs has made. */
export interface Built {
  /** index.html; addresses in it begin with `./`. */
  readonly page: string;
  /** By file name. The names contain a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** It was built after the process began, which may be of an older version. */
  readonly isNewer: boolean;
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".json": "application/json; charset=utf-8",
};

/** Reads the built dashboard, and again when it was built again: no restart is needed. null: there is none. */
export function builtFiles(folder: string): () => Built | null {
  const page = join(folder, "index.html");
  const builtAtMs = () => statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  let kept: Built | null = null;
  let keptFrom = 0;
  let first = builtAtMs();
  return () => {
    const builtAt = builtAtMs();
    first ||= builtAt;
    if (builtAt !== 0 && builtAt !== keptFrom) {
      kept = { ...read(folder), isNewer: builtAt !== first };
      keptFrom = builtAt;
    }
    return kept;
  };
}

/** Why the last build failed; null: nobody has built it. */
export function buildFailure(folder: string): string | null {
  const path = join(folder, "failed.txt");
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

function read(folder: string): Omit<Built, "isNewer"> {
  const inside = join(folder, "assets");
  const names = readdirSync(inside).filter((name) => types[extname(name)] !== undefined);
  return {
    page: readFileSync(join(folder, "index.html"), "utf8"),
    assets: new Map(names.map((name) => [name, readAsset(join(inside, name))])),
  };
}

function readAsset(path: string): Asset {
  const packed = (suffix: string) => (existsSync(path + suffix) ? readFileSync(path + suffix) : undefined);
  const body = new EncodedBody(readFileSync(path), { gzip: packed(".gz"), brotli: packed(".br") });
  return { body, type: types[extname(path)] ?? "application/octet-stream" };
}
