import { slug } from "@tapewire/contract/input.ts";
import { z } from "zod";

/** Who issued or wrote items: an entry of config/providers.json. */
export const providerConfig = z.strictObject({
  id: slug.describe("FeedItem.provider_id"),
  name: z.string().trim().min(1).max(200),
  url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .describe("null when it has no site."),
  kind: z.enum(["official", "wire", "exchange", "media"]),
});
export type ProviderConfig = z.infer<typeof providerConfig>;

/** config/providers.json. A provider that items name and this file does not is still served, under its id. */
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
