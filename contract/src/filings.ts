import { z } from "zod";

/** What a regulatory filing states of itself. */
export const filingFacts = z
  .object({
    form: z.string().describe("Form type as filed, for example 8-K or SC 13D/A."),
    items: z.array(z.string()).describe("8-K item numbers."),
    accession: z.string(),
    cik: z.string().nullable().describe("CIK of the issuer or subject, 10 digits."),
  })
  .meta({ id: "FilingFacts" });
export type FilingFacts = z.infer<typeof filingFacts>;
