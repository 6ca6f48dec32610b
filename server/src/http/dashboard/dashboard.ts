import { join } from "node:path";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Answer, Exchange, Params } from "../wire/types.ts";
import { type Router, sendAnswer } from "../wire/wire.ts";
import { type Built, buildFailure, builtFiles } from "./built-files.ts";
import { assetHeaders, pageHeaders } from "./policy.ts";

/** Where `npm start` builds the dashboard. */
const builtFolder = join(import.meta.dirname, "../../../../dashboard/dist");

/** The address of the service itself: people with a browser go to the dashboard, programs to the reference page. */
const home = (location: string): Answer => ({
  body: { docs: "/docs" },
  headers: { Location: location, "Cache-Control": "no-cache", Vary: "Accept, Accept-Encoding" },
});

/** Mounts `/` without a dashboard. */
export function mountHome(router: Router): void {
  router.add("GET", "/", (exchange) => sendAnswer(exchange, 302, home("/docs")));
}

/**
 * The dashboard: /app and everything below that no other route has. Mount it after the routes of /app/v1: the first of
 * two paths with parameters is taken.
 */
export function mountDashboard(router: Router, folder: string = builtFolder): void {
  const built = builtFiles(folder);
  router.add("GET", "/", (exchange) =>
    sendAnswer(exchange, 302, home(wantsPage(exchange) ? "/app/" : "/docs")),
  );
  // Relative, so that it also holds behind a proxy that adds a prefix.
  router.add("GET", "/app", (exchange) => sendAnswer(exchange, 302, home("app/")));
  router.add("GET", "/app/assets/{file}", (exchange, params) => sendAsset(exchange, params, built()));
  for (const path of ["/app/", "/app/{a}", "/app/{a}/{b}", "/app/{a}/{b}/{c}"])
    router.add("GET", path, (exchange, { a }) => {
      if (a === "v1" || a === "assets") throw new ApiError("not_found");
      return sendPage(exchange, built(), folder);
    });
}

const wantsPage = ({ request }: Exchange) => request.headers.accept?.includes("text/html") === true;

async function sendPage(exchange: Exchange, built: Built | null, folder: string): Promise<void> {
  const headers = pageHeaders(exchange.request.headers.host);
  if (built === null) return refuse(exchange, missing(folder));
  // Addresses are relative to the depth of the path, so no base address has to be known.
  const up = "../".repeat(exchange.path.split("/").length - 3);
  const page = built.isNewer ? built.page.replace("<html ", "<html data-newer ") : built.page;
  const body = page.replaceAll('"./', `"${up === "" ? "./" : up}`);
  await sendAnswer(exchange, 200, { body, headers });
}

const retryLater = { "Retry-After": "10" };
const plain = {
  ...assetHeaders,
  ...retryLater,
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
};

/** People read the text in their browser; a program gets the error it gets everywhere else. */
async function refuse(exchange: Exchange, why: string): Promise<void> {
  if (!wantsPage(exchange)) throw new ApiError("not_ready", { detail: why.trim(), headers: retryLater });
  await sendAnswer(exchange, 503, { body: why, headers: plain });
}

function missing(folder: string): string {
  const reason = buildFailure(folder) ?? "Nothing has built it yet.";
  return [
    "The dashboard is not built. The rest of the service works.",
    reason.trim(),
    "To build it, run: npm run build:dashboard",
    "",
  ].join("\n\n");
}

async function sendAsset(exchange: Exchange, { file = "" }: Params, built: Built | null): Promise<void> {
  const asset = built?.assets.get(file);
  if (asset === undefined) throw new ApiError("not_found");
  await sendAnswer(exchange, 200, {
    body: asset.body,
    headers: {
      ...assetHeaders,
      "Content-Type": asset.type,
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
