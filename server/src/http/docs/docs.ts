import { createHash } from "node:crypto";
import { asyncApiDocument } from "@tapewire/contract/description/asyncapi.ts";
import { openApiDocument } from "@tapewire/contract/description/openapi.ts";
import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { Dictionary } from "@tapewire/contract/tags.ts";
import { EncodedBody, mountPage, type Router } from "../wire/wire.ts";
import { llmsText } from "./llms.ts";
import { referencePage } from "./page.ts";
import { docsStyle } from "./style.ts";

export interface DocsDeps {
  readonly dictionary: Dictionary;
  readonly plans: PlanTable;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
}

/** A restart may change the documents, so caches revalidate after five minutes. */
const common = { "Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff" };
const forAnyPage = { ...common, "Access-Control-Allow-Origin": "*" };
const openApiHeaders = { ...forAnyPage, "Content-Type": "application/json; charset=utf-8" };
const llmsHeaders = { ...forAnyPage, "Content-Type": "text/plain; charset=utf-8" };

const styleHash = createHash("sha256").update(docsStyle).digest("base64");
/** The page loads nothing; its only style sheet is inline. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const pageHeaders = {
  ...common,
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": policy,
  "Referrer-Policy": "no-referrer",
};

/**
 * The description of the interface, without a key: /openapi.json and /asyncapi.json (also under /v1), the page /docs, and
 * the text /llms.txt.
 */
export function mountDocs(router: Router, { dictionary, plans, baseUrl }: DocsDeps): void {
  const document = once(() => openApiDocument(dictionary, baseUrl()));
  const openApi = once(() => new EncodedBody(JSON.stringify(document())));
  const asyncApi = once(() => new EncodedBody(JSON.stringify(asyncApiDocument(dictionary, baseUrl()))));
  const page = once(() => new EncodedBody(referencePage(document(), plans)));
  const llms = once(() => new EncodedBody(llmsText(document(), plans)));
  for (const base of ["", "/v1"]) {
    mountPage(router, `${base}/openapi.json`, () => ({ body: openApi(), headers: openApiHeaders }));
    mountPage(router, `${base}/asyncapi.json`, () => ({ body: asyncApi(), headers: openApiHeaders }));
  }
  mountPage(router, "/llms.txt", () => ({ body: llms(), headers: llmsHeaders }));
  for (const path of ["/docs", "/docs/"])
    mountPage(router, path, () => ({ body: page(), headers: pageHeaders }));
}

/** Made on first use and kept. */
function once<T extends object>(make: () => T): () => T {
  let kept: T | null = null;
  return () => {
    kept ??= make();
    return kept;
  };
}
