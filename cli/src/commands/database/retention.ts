import type { Retention } from "tapewire";
import { asAdmin } from "../../client.ts";
import { CliError } from "../../errors.ts";
import { counted } from "../../numbers.ts";
import type { Options } from "../../options.ts";

/** retention: what is stored of each month, and what the running service deletes. This command deletes nothing. */
export async function retention(_: string[], options: Options): Promise<number> {
  const { months } = options;
  if (months !== undefined && !/^\d{1,4}$/.test(months))
    throw new CliError("--months needs a whole number from 0 to 1200", 2);
  const found: Retention = await asAdmin(options).request("GET /admin/v1/retention", {
    query: months === undefined ? {} : { months },
  });
  if (options.json === true) console.log(JSON.stringify(found));
  else for (const line of reportOf(found, { isTrial: months !== undefined })) console.log(line);
  return 0;
}

function reportOf({ months, state, ...found }: Retention, { isTrial }: { isTrial: boolean }): string[] {
  const lines = months.map(({ month, items, bytes, deletes }) =>
    [
      `${month.slice(0, 4)}-${month.slice(4)}`,
      counted(items, "item").padStart(16),
      `${(bytes / 2 ** 20).toFixed(1)} MB`.padStart(14),
      deletes ? "   is deleted" : "",
    ].join(""),
  );
  const old = months.filter(({ deletes }) => deletes);
  const sum = (of: "items" | "bytes") => old.reduce((total, month) => total + month[of], 0);
  const total = `${counted(sum("items"), "item")} and ${(sum("bytes") / 2 ** 20).toFixed(1)} MB of ${counted(old.length, "month")}`;
  return [...lines, "", verdictOf(found, { total, isTrial, isAny: old.length > 0, state })];
}

function verdictOf(
  { keep_months, keeps_from }: Pick<Retention, "keep_months" | "keeps_from">,
  { total, isTrial, isAny, state }: { total: string; isTrial: boolean; isAny: boolean; state: string },
): string {
  if (keeps_from === null) return "Everything is kept. TAPEWIRE_KEEP_MONTHS sets how many months are.";
  const from = `Items are kept from ${keeps_from.slice(0, 10)} on`;
  if (!isAny) return `${from}. Nothing older is stored.`;
  if (isTrial) return `With TAPEWIRE_KEEP_MONTHS=${keep_months} the service would delete ${total}, for good.`;
  return `${from}. The service deletes ${total} by itself, for good (now: ${state}).`;
}
