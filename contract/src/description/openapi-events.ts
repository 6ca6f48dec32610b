import { z } from "zod";
import { serverExamples } from "../examples/examples.ts";
import { listQuery } from "../filter.ts";
import { streamLimits } from "../stream.ts";
import type { Dictionary } from "../tags.ts";
import { answersOf, headerRefs, rateHeaders } from "./openapi-answers.ts";
import { fieldParameters } from "./openapi-parameters.ts";
import type { Components, Operation } from "./openapi-types.ts";

const cursor = "39518285.48190";
const resuming = z.object({
  snapshot: z
    .int()
    .min(0)
    .optional()
    .meta({
      description: `Sends the latest N matching items before live ones; lowered to ${streamLimits.snapshotItems} when larger.`,
      examples: [5],
    }),
  after: z
    .string()
    .max(100)
    .optional()
    .meta({
      description: "Cursor to resume from: sends every matching item after it, then live items.",
      examples: [cursor],
    }),
});

/** GET /v1/stream/sse: the stream as server-sent events. No route describes it, because its response never ends. */
export function eventsOperation(
  { dictionary, serverUrl }: { dictionary: Dictionary; serverUrl: string },
  components: Components,
): Operation {
  const { since: _, until: __, limit: ___, cursor: ____, ...filters } = listQuery(dictionary).shape;
  const example = serverExamples.feed[0];
  return {
    operationId: "streamEvents",
    summary: "Stream items as server-sent events",
    description:
      "The realtime stream for clients without WebSockets. It sends the same frames, each as an event named by its type. An event with a cursor has it as its id: a browser sends the id back as Last-Event-ID and so resumes without code of yours. The last event is `close`. Opening a stream counts as one of the account's requests per minute. An account may request 5 snapshots a minute over all its streams.",
    tags: ["feeds"],
    security: [{ key: [] }, { keyInQuery: [] }],
    parameters: [
      ...fieldParameters(z.object(filters), "query", components),
      ...fieldParameters(resuming, "query", components),
      {
        name: "Last-Event-ID",
        in: "header",
        required: false,
        description: "Id of the last event received. Takes precedence over `after` and `snapshot`.",
        schema: { type: "string", maxLength: 100 },
        example: cursor,
      },
    ],
    responses: {
      200: {
        description: "Events, until either side closes the connection.",
        headers: headerRefs(["X-Request-Id", ...rateHeaders], components),
        content: {
          "text/event-stream": {
            schema: { type: "string" },
            example: `id: ${example?.frame.cursor}\nevent: feed\ndata: ${JSON.stringify(example?.frame)}\n\n`,
          },
        },
      },
      ...answersOf(
        [
          "invalid_parameter",
          "unauthorized",
          "too_many_connections",
          "rate_limited",
          "internal",
          "not_ready",
        ],
        components,
      ),
    },
    "x-codeSamples": [
      {
        lang: "Shell",
        label: "curl",
        source: `curl -N '${serverUrl}/v1/stream/sse?symbol=OBTX&snapshot=5' \\\n  -H "Authorization: Bearer $TAPEWIRE_KEY"`,
      },
    ],
  };
}
