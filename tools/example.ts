/**
 * `npm run -s example -- NAME [ARGUMENT ...]`: runs an example of examples/. With TAPEWIRE_URL and TAPEWIRE_KEY set it uses that
 * service; else it starts one with the demo wire, which ends with the example and leaves nothing behind.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { createdKey } from "@tapewire/contract/admin.ts";
import { startApp } from "../server/src/app/app.ts";
import { readConfig } from "../server/src/config/config.ts";
import { silentLog } from "../server/src/runtime/log.ts";

const folder = join(import.meta.dirname, "..", "examples");
const python = join(import.meta.dirname, "..", "clients", "python");
const files = new Map(
  globSync("*.{mjs,py,html}", { cwd: folder }).map((file) => [basename(file, extname(file)), file] as const),
);
/** Where the example own-model listens; the service that is started here asks it. */
const modelUrl = `http://127.0.0.1:${process.env.PORT ?? 8081}/v1`;

interface Service {
  readonly url: string;
  readonly key: string;
  readonly adminToken: string;
}

async function main([name = "", ...args]: readonly string[]): Promise<number> {
  const file = files.get(name);
  if (file === undefined) {
    console.error(`Usage: npm run -s example -- NAME\nExamples: ${[...files.keys()].sort().join(", ")}`);
    return 2;
  }
  await using stack = new AsyncDisposableStack();
  const service = givenService() ?? (await ownService(stack));
  if (extname(file) === ".html") return await showPage(stack, file, service);
  const [command, ...before] = extname(file) === ".py" ? ["python3"] : [process.execPath];
  const child = spawn(command, [...before, join(folder, file), ...args], {
    stdio: "inherit",
    env: {
      ...process.env,
      TAPEWIRE_URL: service.url,
      TAPEWIRE_KEY: service.key,
      TAPEWIRE_ADMIN_TOKEN: service.adminToken,
      PYTHONPATH: python,
    },
  });
  return await endOf(child);
}

function givenService(): Service | null {
  const { TAPEWIRE_URL: url, TAPEWIRE_KEY: key, TAPEWIRE_ADMIN_TOKEN: adminToken = "" } = process.env;
  return url === undefined || key === undefined ? null : { url, key, adminToken };
}

/** A service of its own, with its data in a folder that is removed. */
async function ownService(stack: AsyncDisposableStack): Promise<Service> {
  console.error("Starting a service with the demo wire (set TAPEWIRE_URL and TAPEWIRE_KEY to use yours) ...");
  const dataDir = mkdtempSync(join(tmpdir(), "tapewire-example-"));
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const adminToken = `example-${crypto.randomUUID()}`;
  const sourcesFile = join(dataDir, "no-sources.json");
  writeFileSync(sourcesFile, '{ "sources": [] }');
  const own = { port: 0, dataDir, sourcesFile, adminToken, demo: "on", llmUrl: modelUrl } as const;
  const app = stack.use(await startApp({ ...readConfig({}), ...own }, { log: silentLog }));
  const made = await fetch(`${app.baseUrl}/admin/v1/keys`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ plan: "enterprise" }),
  });
  const { key } = createdKey.parse(await made.json());
  console.error(`${app.baseUrl} serves; Ctrl-C ends it`);
  return { url: app.baseUrl, key, adminToken };
}

/** Serves the page and says where, until a signal. */
async function showPage(stack: AsyncDisposableStack, file: string, { url, key }: Service): Promise<number> {
  const page = readFileSync(join(folder, file));
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  });
  stack.defer(() => server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const place = new URLSearchParams({ url, key });
  console.log(`Open http://127.0.0.1:${port}/#${place}`);
  await signal();
  return 0;
}

/** A signal of the terminal reaches the example too: it ends by itself, and this waits for it. */
async function endOf(child: ChildProcess): Promise<number> {
  void signal().then(() => child.kill("SIGINT"));
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 0;
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve());
  });
}

process.exitCode = await main(process.argv.slice(2));
// Listeners of signals keep nothing alive, but sockets of a stopped example may.
process.exit();
