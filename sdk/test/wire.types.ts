/**
 * Proves, when it compiles, that the types of the SDK are those of the contract's schemas: of every route's body and
 * response, of every frame, and of problem documents. `npm run check` compiles it.
 */
import type { ErrorCode, fieldError, problem } from "@tapewire/contract/errors/errors.ts";
import type { feedItem } from "@tapewire/contract/feeds.ts";
import type { Routes as RouteTable } from "@tapewire/contract/routes/routes.ts";
import type { clientFrame, closeCodes, serverFrame } from "@tapewire/contract/stream.ts";
import type * as sdk from "tapewire";
import type { z } from "zod";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? (<T>() => T extends B ? 1 : 2) extends <T>() => T extends A ? 1 : 2
      ? true
      : false
    : false;
type Expect<T extends true> = T;
type Never<T extends never> = T;

/** The SDK reads JSON: what is written for feed readers is theirs. */
type Name = {
  [N in keyof RouteTable]: RouteTable[N] extends { readonly responseType: string } ? never : N;
}[keyof RouteTable];
type Key<N extends Name> = `${RouteTable[N]["method"]} ${RouteTable[N]["path"]}`;
type Body<R> = R extends { readonly body: infer B extends z.ZodType } ? z.input<B> : undefined;
/** Each route as its client sees it: it sends what the service reads, and reads what the service sends. */
type Contract = {
  [N in Name as Key<N>]: {
    body: Body<RouteTable[N]>;
    response: z.input<RouteTable[N]["response"]>;
    inferred: z.infer<RouteTable[N]["response"]>;
    idempotent: RouteTable[N] extends { readonly idempotent: true } ? true : false;
  };
};
type Part = "body" | "response" | "idempotent";
type Differing<P extends Part> = {
  [K in keyof Contract]: K extends keyof sdk.Routes
    ? Equal<sdk.Routes[K][P], Contract[K][P]> extends true
      ? never
      : K
    : K;
}[keyof Contract];

/** The filters of an endpoint and of a view may be null in a request. Their documents, and so the SDK, have them only once. */
type WithFilters =
  | "GET /v1/webhooks"
  | "POST /v1/webhooks"
  | "GET /v1/webhooks/{id}"
  | "PATCH /v1/webhooks/{id}"
  | "POST /v1/webhooks/{id}/rotate"
  | "GET /app/v1/accounts/{id}/views"
  | "POST /app/v1/accounts/{id}/views"
  | "PATCH /app/v1/views/{id}";
type Inferred = Exclude<keyof Contract, WithFilters>;
type NotInferred = {
  [K in Inferred]: K extends keyof sdk.Routes
    ? Equal<sdk.Routes[K]["response"], Contract[K]["inferred"]> extends true
      ? never
      : K
    : K;
}[Inferred];

export type Proofs = [
  Expect<Equal<keyof sdk.Routes, keyof Contract>>,
  Never<Differing<"body">>,
  Never<Differing<"response">>,
  Never<Differing<"idempotent">>,
  Never<NotInferred>,
  Expect<Equal<sdk.FeedItem, z.infer<typeof feedItem>>>,
  Expect<Equal<sdk.ServerFrame, z.infer<typeof serverFrame>>>,
  Expect<Equal<sdk.ClientFrame, z.input<ReturnType<typeof clientFrame>>>>,
  Expect<Equal<sdk.ErrorCode, ErrorCode>>,
  Expect<Equal<sdk.FieldError, z.infer<typeof fieldError>>>,
  // The schema has the codes as text.
  Expect<Equal<Omit<sdk.Problem, "code">, Omit<z.infer<typeof problem>, "code">>>,
  Expect<Equal<Exclude<(typeof closeCodes)[keyof typeof closeCodes], sdk.CloseCode>, never>>,
];
