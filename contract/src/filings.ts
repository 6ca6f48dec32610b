import { z } from "zod";

const day = z.iso.date();
const name = z.string().max(200);
const amount = z.number().nonnegative();

export const filingParty = z
  .object({
    name: name.describe("Name as filed."),
    cik: z.string().describe("10 digits."),
    role: z
      .string()
      .nullable()
      .describe("Issuer, Reporting, Filer, Subject, Filed by ...; null when not stated."),
  })
  .meta({ id: "FilingParty" });
export type FilingParty = z.infer<typeof filingParty>;

/** Forms 3, 4 and 5. */
const ownership = z
  .object({
    kind: z.literal("ownership").describe("Forms 3, 4 and 5: trades of insiders."),
    ticker: z.string().nullable().describe("Ticker of the issuer; null when it has none."),
    owners: z
      .array(
        z.object({
          name: name.describe("Name of the owner."),
          relation: name.nullable().describe("Relation to the issuer: Director, Chief Executive Officer ..."),
        }),
      )
      .max(10)
      .describe("The reporting owners."),
    transactions: z
      .array(
        z.object({
          security: name.describe("Title of the security."),
          date: day.nullable().describe("Day of the trade."),
          code: z.string().describe("SEC transaction code: P purchase, S sale, A grant, M exercise ..."),
          acquired: z.boolean().nullable().describe("true: acquired; false: disposed of; null: not stated."),
          shares: amount.nullable().describe("Number traded."),
          price_usd: amount.nullable().describe("Price per share; null when only a footnote gives it."),
          owned_after: amount.nullable().describe("Number owned after the trade."),
          derivative: z.boolean().describe("Whether the security is an option or another derivative."),
        }),
      )
      .max(20)
      .describe("The trades."),
    planned_10b5_1: z
      .boolean()
      .nullable()
      .describe("Whether the trades were made under a Rule 10b5-1 plan; null when not stated."),
  })
  .meta({ id: "OwnershipDetails" });

/** Schedules 13D and 13G. */
const stake = z
  .object({
    kind: z.literal("stake").describe("Schedules 13D and 13G: who owns more than 5 %."),
    schedule: z.enum(["13D", "13G"]).describe("13D: may seek influence; 13G: holds passively."),
    issuer: name.nullable().describe("Company that the stake is in."),
    persons: z
      .array(
        z.object({
          name: name.describe("Name of the holder."),
          percent: z.number().min(0).max(100).nullable().describe("Share of the class in percent, 0..100."),
          shares: amount.nullable().describe("Number held."),
        }),
      )
      .max(10)
      .describe(
        "The holders; of more than ten the first nine and the largest. Members of a group report the same shares.",
      ),
    purpose: z.string().max(300).nullable().describe("Beginning of Item 4 (purpose) of Schedule 13D."),
  })
  .meta({ id: "StakeDetails" });

/** Form 13F-HR. */
const holdings = z
  .object({
    kind: z.literal("holdings").describe("Form 13F-HR: what a manager holds."),
    period: day.nullable().describe("Day of the reported holdings."),
    total_value_usd: amount
      .nullable()
      .describe(
        "Value of all positions; null when not stated, and in an amendment that only adds positions.",
      ),
    positions: z
      .int()
      .min(0)
      .nullable()
      .describe("Number of positions; null when not stated, and in an amendment that only adds positions."),
    largest: z
      .array(
        z.object({
          issuer: name.describe("Company held."),
          value_usd: amount.describe("Value of the position."),
          shares: amount
            .nullable()
            .describe("Number of shares; null for bonds, which are reported by principal."),
        }),
      )
      .max(10)
      .describe(
        "Largest positions by value, of an amendment the largest in it. Positions in one issuer are added up; options are left out.",
      ),
  })
  .meta({ id: "HoldingsDetails" });

/** Forms NT 10-K, NT 10-Q and the like. */
const late = z
  .object({
    kind: z.literal("late").describe("Forms NT 10-K, NT 10-Q and the like: a report will be late."),
    form: z.string().describe("The report that is late, for example 10-K."),
    reason: z.string().max(300).nullable().describe("Why, in the filer's words."),
    expects_change: z
      .boolean()
      .nullable()
      .describe("Whether results will differ significantly from the year before; null when not stated."),
  })
  .meta({ id: "LateDetails" });

/** Prospectuses: what their cover states. */
const offering = z
  .object({
    kind: z.literal("offering").describe("Prospectuses: what their cover states."),
    price_usd: amount.nullable().describe("Price to the public per share or unit."),
    shares: amount.nullable().describe("Number of shares or units."),
    gross_usd: amount
      .nullable()
      .describe(
        "Proceeds before discounts and expenses. For at-the-market offerings: the largest amount that may be sold.",
      ),
    security: name.nullable().describe("Security that is offered."),
    resale: z.boolean().describe("true: existing holders sell, the company does not."),
  })
  .meta({ id: "OfferingDetails" });

/** Form 144. */
const proposedSale = z
  .object({
    kind: z.literal("proposed_sale").describe("Form 144: an insider intends to sell."),
    seller: name.nullable().describe("Person who intends to sell."),
    shares: amount.nullable().describe("Number to be sold."),
    value_usd: amount.nullable().describe("Market value of these shares."),
    date: day.nullable().describe("Approximate day of the sale."),
  })
  .meta({ id: "ProposedSaleDetails" });

/** Form D. */
const exemptOffering = z
  .object({
    kind: z.literal("exempt_offering").describe("Form D: an offering without registration."),
    total_usd: amount.nullable().describe("Size of the offering; null: indefinite."),
    sold_usd: amount.nullable().describe("Amount sold so far."),
  })
  .meta({ id: "ExemptOfferingDetails" });

export const filingDetails = z
  .discriminatedUnion("kind", [ownership, stake, holdings, late, offering, proposedSale, exemptOffering])
  .meta({ id: "FilingDetails" });
export type FilingDetails = z.infer<typeof filingDetails>;
/** The details of one kind. */
export type DetailsOf<Kind extends FilingDetails["kind"]> = Extract<FilingDetails, { kind: Kind }>;

/** Facts of a regulatory filing. */
export const filingFacts = z
  .object({
    form: z.string().describe("Form type as filed, for example 8-K or SC 13D/A."),
    items: z.array(z.string()).describe("8-K item numbers."),
    accession: z.string().describe("Accession number of the SEC."),
    cik: z.string().nullable().describe("CIK of the issuer or subject, 10 digits."),
    filed: day.nullable().describe("Filing date by the SEC; not always the day of acceptance."),
    period: day.nullable().describe("End of the reported period, or day of the reported event."),
    amends: z
      .string()
      .nullable()
      .describe(
        "Accession number of the filing that this one amends: as it states itself, else the last one by the same issuer, filer and period. null when it is no amendment, and while its original is not known.",
      ),
    parties: z
      .array(filingParty)
      .max(10)
      .describe("The parties that filed, and those that the filing is about."),
    details: filingDetails
      .nullable()
      .describe("Facts of the form; null when it has none or when they are not read yet."),
  })
  .meta({ id: "FilingFacts" });
export type FilingFacts = z.infer<typeof filingFacts>;

/** The facts of a filing of which only the form and items are known. */
export const unstatedFilingFacts = {
  accession: "",
  cik: null,
  filed: null,
  period: null,
  amends: null,
  parties: [],
  details: null,
} satisfies Omit<FilingFacts, "form" | "items">;
