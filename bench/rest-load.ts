/**
 * A closed loop of keep-alive connections over bare sockets: each sends its next request when the last answer is complete.
 * Finds only the end of an answer, since a usual client would be slower than the servers.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface Load {
  /** http://host:port */
  readonly base: string;
  /** The n-th request, as bytes of HTTP/1.1. */
  readonly request: (n: number) => string;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Answers other than 200. */
  readonly refused: number;
  readonly bytesPerAnswer: number;
  /** Processor time of the server with its threads, without its database. */
  readonly cpuMsPerRequest: number;
}

const leastAnswers = 20;
/** Shared by all sockets: bytes are counted before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);

/** @param cpuMs processor time of the server so far */
export async function drive(load: Load, cpuMs: () => number): Promise<LoadResult> {
  const { hostname, port } = new URL(load.base);
  const run = { n: 0, measuring: false, stopped: false, times: [] as number[], refused: 0, bytes: 0 };
  const loop = async () => {
    await using exchange = await Exchange.open(hostname, Number(port));
    while (!run.stopped) {
      const started = performance.now();
      const { status, sizeBytes } = await exchange.send(load.request(run.n++));
      if (!run.measuring) continue;
      run.times.push(performance.now() - started);
      run.bytes += sizeBytes;
      if (status !== 200) run.refused += 1;
    }
  };
  const loops = Promise.all(Array.from({ length: load.connections }, loop));
  await Promise.race([pause(load.warmUpMs), loops]);
  run.measuring = true;
  const began = { at: performance.now(), cpuMs: cpuMs() };
  await Promise.race([pause(load.measuredMs), loops]);
  // For the slowest shapes on a busy machine, since a median needs some answers.
  while (run.times.length < leastAnswers) await Promise.race([pause(50), loops]);
  run.measuring = false;
  const seconds = (performance.now() - began.at) / 1000;
  const spentMs = cpuMs() - began.cpuMs;
  run.stopped = true;
  await loops;
  const sorted = Float64Array.from(run.times).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    perSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requests: sorted.length,
    refused: run.refused,
    bytesPerAnswer: run.bytes / sorted.length,
    cpuMsPerRequest: spentMs / sorted.length,
  };
}

/** Milliseconds for one request, on a connection that is open already. */
export async function timeOne(base: string, request: string): Promise<number> {
  const { hostname, port } = new URL(base);
  await using exchange = await Exchange.open(hostname, Number(port));
  const started = performance.now();
  const { status } = await exchange.send(request);
  if (status !== 200) throw new Error(`answered ${status}: ${request.split("\r\n")[0]}`);
  return performance.now() - started;
}

interface Waiting {
  readonly resolve: (answer: { status: number; sizeBytes: number }) => void;
  readonly reject: (error: Error) => void;
}

/** One connection, one request at a time. */
class Exchange implements AsyncDisposable {
  readonly #socket: Socket;
  #waiting: Waiting | null = null;
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #read = 0;
  /** Bytes of the body still to come; null: the head is incomplete; infinite: a last chunk ends it. */
  #left: number | null = null;

  static async open(host: string, port: number): Promise<Exchange> {
    const exchange = new Exchange(host, port);
    await once(exchange.#socket, "connect");
    return exchange;
  }

  private constructor(host: string, port: number) {
    const callback = (length: number) => {
      this.#take(readBuffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer: readBuffer, callback } });
    const fail = (error: Error) => this.#waiting?.reject(error);
    this.#socket.on("error", fail);
    this.#socket.on("close", () => fail(new Error("the server closed the connection")));
  }

  send(request: string): Promise<{ status: number; sizeBytes: number }> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request, "latin1");
    });
  }

  #take(chunk: Buffer): void {
    let body = chunk;
    if (this.#left === null) {
      const whole = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = whole.indexOf("\r\n\r\n");
      if (end === -1) {
        this.#head = Buffer.from(whole);
        return;
      }
      this.#readHead(whole.toString("latin1", 0, end));
      body = whole.subarray(end + 4);
    }
    this.#read += body.length;
    this.#left = (this.#left ?? 0) - body.length;
    const isLastChunk =
      this.#left === Number.POSITIVE_INFINITY && body.subarray(-5).toString("latin1") === "0\r\n\r\n";
    if (this.#left <= 0 || isLastChunk) this.#end();
  }

  #readHead(head: string): void {
    this.#head = Buffer.alloc(0);
    this.#read = 0;
    this.#status = Number(head.slice(9, 12));
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    this.#left = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
  }

  #end(): void {
    this.#left = null;
    this.#waiting?.resolve({ status: this.#status, sizeBytes: this.#read });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#waiting = null;
    this.#socket.destroy();
  }
}
