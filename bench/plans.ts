/**
 * The arithmetic of docs/scaling.md: how many processes a plan needs, and what they ask of network, database and NATS.
 * Nothing is measured here: the unit costs below are, by the commands that docs/scaling.md names. Change them to yours.
 *
 *   node bench/plans.ts
 */

/** Replace these by what the benches show on your machines. */
const costs = {
  /** Processor time of a delivery that is written alone, µs: bench:stream, "20 items/s". */
  deliveryUs: 8.9,
  /** Of a webhook delivery, µs: bench:webhooks. */
  webhookUs: 85,
  /** Of finding whom an item goes to, for each thousand subscriptions, µs: bench:match, mix of 100,000. */
  matchUs: 4.8,
  /** Bytes of an item on a stream: bench:stream. */
  itemBytes: 1_500,
  /** Bytes of a webhook delivery: bench:webhooks. */
  webhookBytes: 2_048,
  /** Memory of a process, MB, and of a connection without traffic, KB: bench:scale, bench:stream. */
  processMb: 250,
  connectionKb: 7.9,
  /** Statements a second of a process without load: bench:scale. */
  idleTransactions: { streams: 6, webhooks: 8 },
  /** Bytes of an item on NATS: bench:scale. */
  natsBytes: 2_200,
  /** Transactions of a connect: counted, see docs/scaling.md. */
  connectTransactions: 2,
} as const;

/** Decisions, not costs. */
const rules = {
  /** Of a core: the rest is for bursts and collections of garbage. */
  share: 0.5,
  /** Connections of a process: bench:latency makes 20,000 in a minute. */
  connections: 20_000,
  /** Of the connections, as many are so slow that they take what a connection may take. */
  slow: 0.01,
  slowKb: 160,
  /** The shards of webhooks, each of one process. */
  shards: 64,
} as const;

interface Plan {
  readonly name: string;
  readonly kind: "streams" | "webhooks";
  readonly receivers: number;
  readonly itemsPerS: number;
  /** Of the items, what each receiver gets. */
  readonly share: number;
}

const plans: readonly Plan[] = [
  { name: "10,000 subscribers", kind: "streams", receivers: 10_000, itemsPerS: 50, share: 0.02 },
  { name: "10,000, everything", kind: "streams", receivers: 10_000, itemsPerS: 20, share: 1 },
  { name: "100,000 subscribers", kind: "streams", receivers: 100_000, itemsPerS: 50, share: 0.02 },
  { name: "100,000, everything", kind: "streams", receivers: 100_000, itemsPerS: 20, share: 1 },
  { name: "1,000,000 subscribers", kind: "streams", receivers: 1_000_000, itemsPerS: 50, share: 0.02 },
  { name: "10,000 at 1,000 items/s", kind: "streams", receivers: 10_000, itemsPerS: 1_000, share: 0.02 },
  { name: "10,000 endpoints", kind: "webhooks", receivers: 10_000, itemsPerS: 50, share: 0.02 },
  { name: "10,000 endpoints, everything", kind: "webhooks", receivers: 10_000, itemsPerS: 50, share: 1 },
];

function needs({ kind, receivers, itemsPerS, share }: Plan) {
  const deliveries = receivers * itemsPerS * share;
  const isStream = kind === "streams";
  const sendCores = (deliveries * (isStream ? costs.deliveryUs : costs.webhookUs)) / 1e6;
  // Each process looks for its own receivers only, so the sum is the same however many there are.
  const matchCores = (itemsPerS * (receivers / 1_000) * costs.matchUs) / 1e6;
  const cores = sendCores + matchCores;
  const byCores = Math.ceil(cores / rules.share);
  const byConnections = isStream ? Math.ceil(receivers / rules.connections) : 1;
  const processes = Math.max(byCores, byConnections);
  const each = receivers / processes;
  const memoryMb =
    costs.processMb + (isStream ? (each * (costs.connectionKb + rules.slow * rules.slowKb)) / 1e3 : 0);
  return {
    deliveries,
    cores,
    // One more than the load needs: one may be lost, or be replaced.
    processes: processes + 1,
    first:
      !isStream && processes > rules.shards ? "shards" : byCores > byConnections ? "cores" : "connections",
    memoryMb,
    gigabits: (deliveries * (isStream ? costs.itemBytes : costs.webhookBytes) * 8) / 1e9,
    transactions: (processes + 1) * costs.idleTransactions[kind],
    reconnects: isStream ? each * costs.connectTransactions : 0,
    natsMb: ((processes + 1) * itemsPerS * costs.natsBytes) / 1e6,
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString("en-US");
const small = (value: number): string => (value < 10 ? value.toFixed(2) : whole(value));

const head =
  "plan | items/s | each gets | deliveries/s | cores | processes | MB each | Gbit/s out | bound first";
const more = "database, transactions/s idle | after one process is lost | NATS, MB/s out";
console.log(`| ${head} | ${more} |`);
console.log(`|${" --- |".repeat(`${head} | ${more}`.split("|").length)}`);
for (const plan of plans) {
  const found = needs(plan);
  const cells = [
    ...[plan.name, whole(plan.itemsPerS), `${plan.share * 100} %`, whole(found.deliveries)],
    ...[
      small(found.cores),
      whole(found.processes),
      whole(found.memoryMb),
      small(found.gigabits),
      found.first,
    ],
    ...[whole(found.transactions), whole(found.reconnects), small(found.natsMb)],
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
