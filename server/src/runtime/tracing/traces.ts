import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { version } from "../version.ts";

/**
 * Spans of OpenTelemetry. Without an exporter (app/tracing.ts) there is one span for all, which does nothing.
 * Attributes never hold keys, tokens, queries, addresses of webhooks or texts of callers.
 */
// Looked up each time: a tracer that is kept stays with the first provider of the process.
const tracerNow = () => trace.getTracer("tapewire", version);

export type { Attributes, Span } from "@opentelemetry/api";

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
let areExported = false;

/** An exporter takes spans from now on, or no longer. */
export function exportSpans(are: boolean): void {
  areExported = are;
}

/** For work so short that making the attributes of its span would show. */
export function spansAreExported(): boolean {
  return areExported;
}

/** What a span belongs to; null: nothing that is traced. */
export type Origin = SpanContext | null;

/** The span that is under way, to be named later by `traced`. */
export function originNow(): Origin {
  if (!areExported) return null;
  const found = trace.getActiveSpan()?.spanContext();
  return found !== undefined && isSpanContextValid(found) ? found : null;
}

interface About {
  readonly kind?: "server" | "client";
  readonly attributes?: Attributes;
  /** What caused the work. Default: the span that is under way. Several are linked; a span has one parent at most. */
  readonly origins?: readonly Origin[];
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
/** A batch may hold thousands of requests. */
const mostLinks = 32;

/** Runs the work in a span, which ends with it and tells its error. Spans begun by the work are below it. */
export function traced<T>(name: string, about: About, work: (span: Span) => Promise<T>): Promise<T> {
  if (!areExported) return work(noSpan);
  const { kind, attributes, origins } = about;
  const { parent, links } = origins === undefined ? { parent: context.active(), links: [] } : caused(origins);
  const options = { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], attributes, links };
  return tracerNow().startActiveSpan(name, options, parent, (span) => ended(span, work));
}

/** The same for a request: its `traceparent`, when a proxy has sent one, is what it belongs to. */
export function tracedRequest<T>(
  name: string,
  { headers, attributes }: { headers: object; attributes?: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!areExported) return work(noSpan);
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  return tracerNow().startActiveSpan(name, { kind: SpanKind.SERVER, attributes }, parent, (span) =>
    ended(span, work),
  );
}

async function ended<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    failed(span, error instanceof Error ? error.name : "error");
    throw error;
  } finally {
    span.end();
  }
}

/** @param what a word of the code, never a message: messages may quote callers */
export function failed(span: Span, what: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: what });
}

function caused(origins: readonly Origin[]): { parent: Context; links: { context: SpanContext }[] } {
  const known = new Map(origins.flatMap((origin) => (origin === null ? [] : [[origin.spanId, origin]])));
  const found = [...known.values()];
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return { parent: trace.setSpanContext(ROOT_CONTEXT, only), links: [] };
  return { parent: ROOT_CONTEXT, links: found.slice(0, mostLinks).map((one) => ({ context: one })) };
}
