/** Packages and globals that only some layers may use. */
import { layerOf } from "./directions.ts";
import type { SourceFile } from "./source.ts";

interface Reserved {
  readonly pattern: RegExp;
  /** Layers, or paths of single files. */
  readonly allowed: readonly string[];
  readonly what: string;
  /** `import type` is allowed: a type opens no socket. */
  readonly typesAreFree?: boolean;
}

const edges = ["ingest", "http", "stream", "webhooks"];
const sockets = /^(node:)?(https?|http2|net|tls|dgram)$|^(undici|ws)(\/|$)/;

/** Packages by their specifiers; the client in cli/ may open sockets. */
const packages: readonly Reserved[] = [
  { pattern: /^(pg|kysely|@electric-sql\/pglite)(\/|$)/, allowed: ["store"], what: "SQL" },
  { pattern: /^@nats-io\//, allowed: ["bus"], what: "NATS" },
  {
    pattern: /^@opentelemetry\//,
    allowed: ["server/src/runtime/tracing/traces.ts", "server/src/app/tracing.ts"],
    what: "OpenTelemetry",
  },
  { pattern: /^prom-client$/, allowed: ["server/src/runtime/metrics.ts"], what: "prom-client" },
  {
    pattern: sockets,
    // connections.ts watches the sockets to PostgreSQL.
    allowed: [...edges, "cli", "server/src/store/engine/connections.ts"],
    what: "sockets",
    typesAreFree: true,
  },
];

/** Globals, found in the text. Tests, tools, benches and cli/ are free; sdk/ runs without us. */
const globals: readonly Reserved[] = [
  { pattern: /\bprocess\.env\b/, allowed: ["config", "cli", "dashboard"], what: "process.env" },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)/,
    allowed: ["server/src/runtime/clock.ts", "cli", "sdk", "dashboard"],
    what: "the wall clock",
  },
];

export function reservedViolations({ path, text, imports }: SourceFile): string[] {
  const layer = layerOf(path);
  const isClosed = ({ allowed }: Reserved) =>
    !allowed.includes(path) && (layer === null || !allowed.includes(layer));
  return [
    ...packages
      .filter(isClosed)
      .flatMap(({ pattern, allowed, what, typesAreFree }) =>
        imports
          .filter(({ specifier, typeOnly }) => pattern.test(specifier) && !(typeOnly && typesAreFree))
          .map(({ specifier }) => `${path}: imports ${specifier}; ${what} only in ${allowed.join(", ")}`),
      ),
    ...globals
      .filter((reserved) => isClosed(reserved) && reserved.pattern.test(text))
      .map(({ what, allowed }) => `${path}: uses ${what}; only in ${allowed.join(", ")}`),
  ];
}
