import { tools } from "./tools/tools.ts";

/** The rate limit that a message counts against: that of reads which use no quota, or the plan's requests per minute. */
export type Bucket = "reference" | "minute";

/** An address is read as the protocol's package does it: "TAPEWIRE://tags" is the same one. */
const referenceResources: readonly (string | undefined)[] = ["tapewire://guide", "tapewire://tags"];

/** @param message a JSON-RPC message, not checked */
export function bucketOf(message: unknown): Bucket {
  const params = memberOf(message, "params");
  switch (memberOf(message, "method")) {
    case "tools/call":
      return tools.find(({ name }) => name === memberOf(params, "name"))?.bucket ?? "minute";
    case "resources/read":
      return referenceResources.includes(URL.parse(String(memberOf(params, "uri")))?.href)
        ? "reference"
        : "minute";
    default:
      return "reference";
  }
}

/** Whether a message opens a stream of notifications, which stays open. */
export const isListen = (message: unknown): boolean => memberOf(message, "method") === "subscriptions/listen";

/** How many resources a message that opens such a stream names. */
export function resourcesOf(message: unknown): number {
  const wanted = memberOf(memberOf(memberOf(message, "params"), "notifications"), "resourceSubscriptions");
  return Array.isArray(wanted) ? wanted.length : 0;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
