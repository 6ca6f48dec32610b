import type { z } from "zod";
import type { Routes } from "../routes/routes.ts";
import type { Route, Section } from "../routes/types.ts";

type RequestOf<R extends Route> = R extends { readonly body: infer B extends z.ZodType }
  ? { readonly request: z.input<B> }
  : unknown;
type QueryOf<R extends Route> = R extends { readonly query: infer Q extends z.ZodObject }
  ? { readonly query?: { readonly [name in keyof Q["shape"]]?: string } }
  : unknown;

/** An example request and response of the documentation. `query` is for the curl line. */
export interface RouteExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  readonly response: unknown;
}

/** One typed example for every route of a section. */
export type ExamplesOf<S extends Section> = {
  readonly [Name in keyof Routes as Routes[Name]["section"] extends S ? Name : never]: RequestOf<
    Routes[Name]
  > &
    QueryOf<Routes[Name]> & { readonly response: z.input<Routes[Name]["response"]> };
};
