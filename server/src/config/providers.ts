import { slug } from "@tapewire/contract/input.ts";
import { z } from "zod";

/** A provider issues or writes items: an entry of config/providers.json. */
export const providerConfig = z.strictObject({
  id: slug.describe("Id of the provider, used as FeedItem.provider_id."),
  name: z.string().trim().min(1).max(200),
  url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .describe("Website; null when there is none."),
  kind: z.enum(["official", "wire", "exchange", "media"]),
});
export type ProviderConfig = z.infer<typeof providerConfig>;

/** config/providers.json. A provider that items name but this file does not is still served, with its id as name. */
export const providersFile = z
  .strictObject({ providers: z.array(providerConfig) })
  .superRefine(({ providers }, context) => {
    const seen = new Set<string>();
    for (const [index, { id }] of providers.entries()) {
      if (seen.has(id))
        context.addIssue({ code: "custom", path: ["providers", index, "id"], message: `'${id}' repeats` });
      seen.add(id);
    }
  });
