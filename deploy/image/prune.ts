/** Removes what a running service never reads: source maps, declarations, readmes, and the dashboard's sources. */
import { globSync, rmSync } from "node:fs";

const neverRead = [
  "node_modules/**/*.map",
  "node_modules/**/*.d.{ts,mts,cts}",
  "node_modules/**/{README,CHANGELOG,HISTORY}*.md",
  "node_modules/zod/src",
  // CommonJS beside the modules that are loaded, for bundlers and for browsers.
  "node_modules/@electric-sql/pglite/dist/**/*.cjs",
  "node_modules/hono/dist/cjs",
  // One build of the runtime for WebAssembly is loaded; the others are for browsers.
  "node_modules/onnxruntime-web/{lib,docs}",
  "node_modules/onnxruntime-web/dist/ort.!(node.min.mjs)",
  "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.*.{mjs,wasm}",
  "dashboard/{src,index.html,vite.config.ts,tsconfig.json}",
  "tools",
  "tsconfig.json",
];

for (const path of globSync(neverRead)) rmSync(path, { recursive: true, force: true });
