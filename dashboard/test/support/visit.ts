import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { createdKey } from "@tapewire/contract/admin.ts";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { z } from "zod";
import { anyEngine, type EngineName } from "../../../server/test/support/db.ts";
import { type Service, startService } from "../../../server/test/support/service.ts";
import { atEnd, runsManyFiles } from "../../../tools/testing/at-end.ts";
import { chromiumPath } from "./chromium.ts";

type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "dark" | "light";
  /** A session begun with this key or token; null: nobody is signed in. */
  readonly secret?: string | null;
  /** Whether the visit only reads: such pages share what the browser keeps, and the scripts are loaded and compiled once. */
  readonly reads?: boolean;
  /** What is set up on the page before it is opened. */
  readonly before?: (page: Page) => Promise<void>;
}

/** A page, and what went wrong on it that no test expects. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts, dialogs, violations of the content policy, and requests to other hosts. */
  readonly troubles: readonly string[];
}

/** A service and a browser for the tests of one file. */
export interface House extends AsyncDisposable {
  readonly service: Service;
  /** A key of the account that the dashboard shows first. */
  readonly key: string;
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  /** Makes an endpoint, of that account unless another one's key is given. @returns its id */
  webhook(body: Readonly<Record<string, unknown>>, key?: string): Promise<string>;
}

const root = join(import.meta.dirname, "../../..");

export async function openHouse(
  overrides: Parameters<typeof startService>[1] = {},
  engine: EngineName = anyEngine,
): Promise<House> {
  await using stack = new AsyncDisposableStack();
  // Before the service, which serves what is built.
  const browser = await openBrowser();
  if (!runsManyFiles) stack.defer(() => browser.close());
  const service = stack.use(await startService(engine, { webhookAllow: ["127.0.0.0/8"], ...overrides }));
  const states = new Map<string, State>();
  const shared = new Map<string, Promise<BrowserContext>>();
  stack.defer(async () => {
    for (const context of shared.values()) await (await context).close();
  });
  const visit: House["visit"] = async (path, options = {}) => {
    const secret = options.secret === undefined ? service.adminToken : options.secret;
    if (secret !== null && !states.has(secret)) states.set(secret, await signIn(browser, service, secret));
    const state = secret === null ? undefined : states.get(secret);
    const { width, height, theme, reads, before } = options;
    const make = () => newContext(browser, { width, height, theme, state });
    if (reads !== true) {
      const context = await make();
      return opened(context, service, { path, before }, () => context.close());
    }
    const which = JSON.stringify([width, height, theme, secret]);
    const made = shared.get(which) ?? make();
    shared.set(which, made);
    return opened(await made, service, { path, before }, (page) => page.close());
  };
  const key = await keyOfFirstAccount(service);
  const webhook: House["webhook"] = (body, of = key) => createWebhook(service, of, body);
  const owned = stack.move();
  return { service, key, visit, webhook, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The browser of a process of many files: to start one takes a second. */
let kept: Promise<Browser> | null = null;
atEnd(async () => (await kept)?.close());

function openBrowser(): Promise<Browser> {
  if (!runsManyFiles) return startBrowser();
  kept ??= startBrowser();
  return kept;
}

async function startBrowser(): Promise<Browser> {
  const built = spawnSync(process.execPath, [join(root, "tools/build-dashboard.mjs"), "--strict"], {
    encoding: "utf8",
  });
  assert.equal(built.status, 0, built.stderr);
  assert.ok(chromiumPath !== null, "no Chromium on this machine; .ci/run installs one");
  // Pages of one session share a process: to start one takes as long as most of what a test does.
  // What is drawn is looked at by nobody: a process of its own for it takes a sixth of the browser's processor time.
  const args = ["--process-per-site", "--disable-gpu", "--in-process-gpu"];
  return await chromium.launch({ executablePath: chromiumPath, args });
}

const withId = z.object({ id: z.uuid() });

async function keyOfFirstAccount(service: Service): Promise<string> {
  const accounts = z
    .object({ data: z.array(withId) })
    .parse(await (await service.admin("GET", "/admin/v1/accounts")).json());
  const body = { account_id: accounts.data[0]?.id, name: "of the test" };
  return createdKey.parse(await (await service.admin("POST", "/admin/v1/keys", body)).json()).key;
}

async function createWebhook(
  { url }: Service,
  key: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const answer = await fetch(`${url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return withId.parse(JSON.parse(text)).id;
}

/** Signs in as a person does, by pasting a key or the token. */
async function signIn(browser: Browser, { url }: Service, secret: string): Promise<State> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/app/`);
  const field = page.getByLabel("API key or admin token");
  await field.fill(secret);
  await field.press("Enter");
  await page.locator(".feed").waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

interface ContextOptions {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly theme: VisitOptions["theme"];
  readonly state: State | undefined;
}

async function newContext(
  browser: Browser,
  { width = 1280, height = 800, theme = "dark", state }: ContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    // Never the zone of the machine: then local time and UTC are not the same.
    timezoneId: "Asia/Kolkata",
    ...(state === undefined ? {} : { storageState: state }),
  });
  context.setDefaultTimeout(30_000);
  return context;
}

async function opened(
  context: BrowserContext,
  { url }: Service,
  { path, before }: { path: string; before: VisitOptions["before"] },
  close: (page: Page) => Promise<void>,
): Promise<Visit> {
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
      troubles.push(`request: ${request.url()}`);
  });
  await page.exposeFunction("tellViolation", (text: string) => troubles.push(`violation: ${text}`));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => tellViolation(event.violatedDirective + ' ' + event.blockedURI))",
  );
  await before?.(page);
  await page.goto(`${url}/app/${path}`);
  return { page, troubles, [Symbol.asyncDispose]: () => close(page) };
}
