import { z } from "zod";
import { exampleIds } from "../examples/values.ts";
import { integerText } from "../filter.ts";

/** The path parameter `{id}` when it is a uuid. */
export const byUuid = (description: string, example: string) =>
  z.object({
    id: z
      .guid()
      .toLowerCase()
      .meta({ description, examples: [example] }),
  });

/** `{id}` of an item. */
export const itemById = byUuid(
  "Id of the item: UUIDv5 of its unique_id, the same in every deployment.",
  "3f1c2a5e-8f0b-5d3a-9c41-6a2d6c5f7b10",
);

/** `{id}` of a webhook endpoint. */
export const webhookById = byUuid("Id of the endpoint.", exampleIds.webhook);

/** An integer query parameter within inclusive bounds. */
export const bounded = ({ min, max }: { min: number; max: number }) =>
  integerText.pipe(z.int().min(min).max(max));
