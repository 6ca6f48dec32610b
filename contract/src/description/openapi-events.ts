import { z } from "zod";
import { serverExamples } from "../examples/examples.ts";
import { listQuery } from "../filter.ts";
import { streamLimits } from "../stream.ts";
import type { TagDictionary } from "../tags.ts";
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
      description: `Replays the latest N matching items before live ones; more than ${streamLimits.snapshotItems} counts as ${streamLimits.snapshotItems}.`,
      examples: [5],
    }),
  after: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Cursor: every matching item after it, then live.", examples: [cursor] }),
});

/** GET /v1/stream/sse: the stream as server-sent events, which no route describes because it never ends. */
export function eventsOperation(
  { dictionary, serverUrl }: { dictionary: TagDictionary; serverUrl: string },
  components: Components,
): Operation {
  const { since: _, until: __, limit: ___, cursor: ____, ...filters } = listQuery(dictionary).shape;
  const example = serverExamples.feed[0];
  return {
    operationId: "streamEvents",
    summary: "Stream items as server-sent events",
    description:
      "The realtime stream for clients without WebSockets: the same frames, each an event named by its type. Events that carry a cursor have it as their id, which a browser sends back as Last-Event-ID and so resumes by itself. The last event is `close`. To open one is one of the account's requests a minute; an account has 5 snapshots a minute over all of its streams.",
    tags: ["feeds"],
    security: [{ key: [] }, { keyInQuery: [] }],
    parameters: [
      ...fieldParameters(z.object(filters), "query", components),
      ...fieldParameters(resuming, "query", components),
      {
        name: "Last-Event-ID",
        in: "header",
        required: false,
        description: "The id of the last event that came; goes before `after` and `snapshot`.",
        schema: { type: "string", maxLength: 100 },
        example: cursor,
      },
    ],
    responses: {
      200: {
        description: "Events, until one side ends the connection.",
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
