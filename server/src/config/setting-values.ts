/** What the values of settings look like. */
import { z } from "zod";
import { natsAddressOf } from "./nats-address.ts";

export const postgresUrl = z
  .string()
  .regex(/^postgres(?:ql)?:\/\/\S+$/, "must be postgres://user:password@host/database");
export const natsUrl = z
  .string()
  .regex(/^(?:nats|tls):\/\/\S+$/, "must be nats://user:password@host:4222")
  .refine((value) => natsAddressOf(value) !== null, {
    error:
      "must name servers of one cluster, such as nats://user:password@a:4222,nats://user:password@b:4222",
    abort: true,
  });
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** `5s,5m,2h` as milliseconds. */
export const durations = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ""))
  .pipe(
    z
      .array(z.string().regex(/^\d{1,4}[smh]$/, "must be durations such as 5s,5m,2h"))
      .min(1)
      .max(20),
  )
  .transform((all) => all.map((one) => Number(one.slice(0, -1)) * (unitMs[one.slice(-1)] ?? 0)));

/** `ada@example.com,@example.com=operator`: who may sign in, and with which role; null: none is named. */
export const identities = z
  .string()
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((one) => one !== ""),
  )
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^[^\s@=]*@[^\s@=]+(?:=(?:operator|member))?$/,
          "must be addresses or domains such as ada@example.com=operator,@example.com",
        )
        .transform((one) => {
          const [match = "", role] = one.split("=");
          const named: "operator" | "member" | null = role === "operator" || role === "member" ? role : null;
          return { match, role: named };
        }),
    ),
  );

export const addressRanges = z
  .string()
  .transform((value) => (value.trim() === "none" ? [] : value.split(/[\s,]+/).filter((one) => one !== "")))
  .pipe(
    z.array(
      z.union([z.cidrv4(), z.cidrv6()], {
        error: ({ input }) => `'${String(input)}' is not an address range such as 10.0.0.0/8 or fd00::/8`,
      }),
    ),
  );
