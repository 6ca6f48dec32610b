/** The servers that bench/stream.ts compares, each started only for its turn. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createDatabase, postgresUrl } from "../server/test/support/db.ts";
import type { Protocol } from "./loadgen.ts";
import { ItemPerMessage, NatsLines } from "./loadgen-frames.ts";
import { serviceFlags, start } from "./server-process.ts";
import { filterAt, itemBytes } from "./stream-items.ts";

/** A running server that takes items from its publisher and sends them to its subscribers. */
export interface Contender extends AsyncDisposable {
  readonly name: string;
  /** Process that serves. */
  readonly pid: number;
  readonly protocol: Protocol;
  publish(items: number): void;
}

export const contenderNames = ["tapewire", "pull", "ws-shared", "nchan", "nats"] as const;
export type ContenderName = (typeof contenderNames)[number];

/** @returns null when it is not installed here */
export function startContender(
  name: ContenderName,
  nodeArgs: readonly string[] = [],
): Promise<Contender | null> {
  switch (name) {
    case "tapewire":
      return startTapewire(nodeArgs);
    case "pull":
    case "ws-shared":
      return startNodePeer(name);
    case "nchan":
      return startNchan();
    case "nats":
      return startNats();
  }
}

const itemPerMessage = () => new ItemPerMessage();
const answer = z.object({ port: z.int(), keys: z.array(z.string()) });

async function startTapewire(nodeArgs: readonly string[]): Promise<Contender> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const database = postgresUrl === null ? null : stack.use(await createDatabase());
  const program = join(import.meta.dirname, "stream-server.ts");
  const running = stack.use(
    await start({
      command: [
        process.execPath,
        ...serviceFlags,
        ...nodeArgs,
        program,
        database?.url ?? "",
        join(folder.path, "data"),
      ],
      listening: /^ready (.*)$/m,
    }),
  );
  const { port, keys } = answer.parse(JSON.parse(running.said));
  const owned = stack.move();
  return {
    name: "tapewire",
    pid: running.pid,
    protocol: {
      port,
      upgrade: (n) => ({ path: `/v1/stream?api_key=${keys[n % keys.length]}` }),
      hello: (n) => JSON.stringify({ type: "subscribe", filters: filterAt(n) }),
      ready: '"type":"subscribed"',
      counter: itemPerMessage,
    },
    publish: (items) => running.tell(String(items)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startNodePeer(name: "pull" | "ws-shared"): Promise<Contender> {
  const program = join(import.meta.dirname, "peers", "stream", `${name}.ts`);
  const running = await start({
    command: [process.execPath, ...serviceFlags, program, String(itemBytes)],
    listening: /port (\d+)/,
  });
  const port = Number(running.said);
  return {
    name,
    pid: running.pid,
    protocol: {
      port,
      upgrade: () => ({ path: "/" }),
      hello: () => null,
      ready: null,
      counter: itemPerMessage,
    },
    publish: (items) => running.tell(String(items)),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const nchanModule = "/usr/lib/nginx/modules/ngx_nchan_module.so";

async function startNchan(): Promise<Contender | null> {
  if (!isInstalled("nginx") || !existsSync(nchanModule)) return null;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const port = await freePort();
  const file = join(folder.path, "nginx.conf");
  writeFileSync(file, nginxConfig(folder.path, port));
  const running = stack.use(
    await start({
      command: ["nginx", "-e", "stderr", "-p", folder.path, "-c", file],
      listening: /start worker process (\d+)/,
    }),
  );
  const post = Buffer.from(
    `POST /pub HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: ${itemBytes}\r\n\r\n${"x".repeat(itemBytes)}`,
  );
  const publisher = stack.use(await openPublisher(port, post));
  const owned = stack.move();
  return {
    name: "nchan",
    pid: Number(running.said),
    protocol: {
      port,
      upgrade: () => ({ path: "/sub" }),
      hello: () => null,
      ready: null,
      counter: itemPerMessage,
    },
    publish: (items) => publisher.publish(items),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** One worker, on the given core; a buffer large enough for the slowest subscriber. */
function nginxConfig(folder: string, port: number): string {
  return `load_module ${nchanModule};
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid ${folder}/nginx.pid;
error_log stderr notice;
events { worker_connections 16384; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  client_body_temp_path ${folder}/body;
  server {
    listen 127.0.0.1:${port};
    location = /pub {
      nchan_publisher http;
      nchan_channel_id feed;
      nchan_message_buffer_length 10000;
    }
    location = /sub {
      nchan_subscriber websocket;
      nchan_subscriber_first_message newest;
      nchan_channel_id feed;
    }
  }
}
`;
}

async function startNats(): Promise<Contender | null> {
  if (!isInstalled("nats-server")) return null;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const [port, clientPort] = [await freePort(), await freePort()];
  const file = join(folder.path, "nats.conf");
  writeFileSync(
    file,
    `listen: "127.0.0.1:${clientPort}"
websocket { listen: "127.0.0.1:${port}", no_tls: true, compression: false }
ping_interval: "1h"
`,
  );
  const running = stack.use(
    await start({ command: ["nats-server", "-c", file], listening: /Server is (ready)/ }),
  );
  const message = Buffer.from(`PUB feed ${itemBytes}\r\n${"x".repeat(itemBytes)}\r\n`);
  const publisher = stack.use(await openPublisher(clientPort, message, 'CONNECT {"verbose":false}\r\n'));
  const owned = stack.move();
  return {
    name: "nats",
    pid: running.pid,
    protocol: {
      port,
      upgrade: () => ({ path: "/" }),
      hello: () => 'CONNECT {"verbose":false,"protocol":1}\r\nSUB feed 1\r\nPING\r\n',
      ready: "PONG\r\n",
      counter: () => new NatsLines(),
    },
    publish: (items) => publisher.publish(items),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A connection that sends the same bytes for every item and ignores the answers. */
async function openPublisher(port: number, message: Buffer, first = "") {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.on("error", () => {});
  socket.resume();
  socket.write(first);
  return {
    publish: (items: number) =>
      void socket.write(Buffer.concat(Array.from({ length: items }, () => message))),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function isInstalled(program: string): boolean {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
