import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * How the way to the target is: `forward` passes bytes on; `silent` accepts connections and passes nothing, either way,
 * not even an end; `refuse` refuses new connections, and those that are open go on.
 */
export type ProxyMode = "forward" | "silent" | "refuse";

/** One connection through the proxy, and the onward one; silenced once, it stays so: its host has vanished. */
interface Link {
  readonly client: Socket;
  readonly onward: Socket;
  silent: boolean;
}

export interface SilentProxy extends AsyncDisposable {
  /** The target's URL by way of the proxy. */
  readonly url: string;
  readonly mode: ProxyMode;
  /** Connections that are open, those that are silent included. */
  readonly open: number;
  /** Every connection, and each new one, stays open and says nothing more, ever: a host that vanished without FIN. */
  silence(): Promise<void>;
  /** New connections are forwarded again; those that were silenced stay silent. */
  forward(): Promise<void>;
  /** New connections are refused; those that are open go on. */
  refuse(): Promise<void>;
  /** Ends every open connection at once, in whatever mode. */
  cut(): void;
}

/** A proxy before a TCP server, such as PostgreSQL, which stops telling anything when it is told to. */
export async function silentProxy(targetUrl: string): Promise<SilentProxy> {
  const target = new URL(targetUrl);
  const links = new Set<Link>();
  let mode: ProxyMode = "forward";
  const server = createServer((client) => {
    const link = makeLink(client, connect(Number(target.port || 5432), target.hostname), links);
    link.silent = mode === "silent";
  });
  const listen = async (port: number) => {
    if (server.listening) return;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const port = portOf(server.address());
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const cut = () => {
    for (const { client, onward } of links) for (const socket of [client, onward]) socket.destroy();
  };
  return {
    url: url.href,
    get mode() {
      return mode;
    },
    get open() {
      return links.size;
    },
    silence: async () => {
      mode = "silent";
      for (const link of links) link.silent = true;
      await listen(port);
    },
    forward: async () => {
      mode = "forward";
      await listen(port);
    },
    refuse: async () => {
      mode = "refuse";
      // It ends with its last connection; the port is free at once.
      server.close();
    },
    cut,
    [Symbol.asyncDispose]: async () => {
      const closed = server.listening ? once(server, "close") : null;
      server.close();
      cut();
      await closed;
    },
  };
}

function makeLink(client: Socket, onward: Socket, links: Set<Link>): Link {
  const link: Link = { client, onward, silent: false };
  links.add(link);
  const pass = (from: Socket, to: Socket) => {
    // Read even in silence: what nobody reads would fill the sender's buffers, and his host would know.
    from.on("data", (chunk) => {
      if (!link.silent) to.write(chunk);
    });
    from.on("error", () => {});
    from.once("close", () => {
      // A host that has vanished cannot say that the other side has ended.
      if (!link.silent) to.destroy();
      if (client.destroyed && onward.destroyed) links.delete(link);
    });
  };
  pass(client, onward);
  pass(onward, client);
  return link;
}

export function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  return address.port;
}
