import { context, DiagLogLevel, diag, propagation, trace } from "@opentelemetry/api";
import type { Config } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import { exportSpans } from "../runtime/tracing/traces.ts";
import { version } from "../runtime/version.ts";

const complaintsEveryMs = 60_000;
/** A collector that hangs does not delay the end of the process. */
const lastSpansMs = 1_000;

/**
 * Sends spans to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`; without one, no package of the SDK is loaded.
 * Up to 2,048 ended spans wait for the collector; further ones are dropped.
 */
export async function startTracing({ otlpEndpoint }: Config, log: Log): Promise<AsyncDisposable | null> {
  if (otlpEndpoint === null) return null;
  const sdk = await loadSdk(log);
  if (sdk === null) return null;
  const tell = complain(log);
  const { BasicTracerProvider, BatchSpanProcessor, OTLPTraceExporter, resourceFromAttributes } = sdk;
  const about = { "service.name": "tapewire", "service.version": version };
  const provider = new BasicTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resourceFromAttributes(about).merge(sdk.detectResources({ detectors: [sdk.envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: traceUrl(otlpEndpoint) }))],
  });
  context.setGlobalContextManager(new sdk.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new sdk.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  exportSpans(true);
  return {
    [Symbol.asyncDispose]: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, lastSpansMs).unref());
      await Promise.race([provider.shutdown().catch((error: unknown) => tell(String(error))), late]);
      exportSpans(false);
      trace.disable();
      propagation.disable();
      context.disable();
      diag.disable();
    },
  };
}

/** The packages are optional: an image or an installation may leave them out. */
async function loadSdk(log: Log) {
  try {
    const parts = await Promise.all([
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/core"),
    ]);
    const [{ BasicTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = parts;
    const [, , , { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }] = parts;
    const { resourceFromAttributes, detectResources, envDetector } = resources;
    return {
      ...{ BasicTracerProvider, BatchSpanProcessor, OTLPTraceExporter },
      ...{ resourceFromAttributes, detectResources, envDetector },
      ...{ AsyncLocalStorageContextManager, W3CTraceContextPropagator },
    };
  } catch (error) {
    if (!isNotInstalled(error)) throw error;
    log.warn(
      "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed: no traces (docs/deploy.md)",
    );
    return null;
  }
}

function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function traceUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, "")}/v1/traces`;
}

/** What the SDK complains about, at most once a minute: a collector that is away fails every few seconds. */
function complain(log: Log): (message: string) => void {
  let againAtMs = 0;
  const tell = (message: string) => {
    const nowMs = performance.now();
    if (nowMs < againAtMs) return;
    againAtMs = nowMs + complaintsEveryMs;
    log.warn({ reason: message.slice(0, 500) }, "spans could not be exported");
  };
  const quiet = () => {};
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return tell;
}
