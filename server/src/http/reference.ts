import { ApiError } from "@tapewire/contract/errors.ts";
import type { SourceDetail } from "@tapewire/contract/reference.ts";
import type { Routes } from "@tapewire/contract/routes.ts";
import type { Handler } from "./route.ts";

export interface ReferenceDeps {
  readonly sourceNames: () => Promise<string[]>;
  /** @returns null when there is no such source */
  readonly sourceDetail: (name: string) => Promise<SourceDetail | null>;
}

/** GET /v1/sources. */
export function listSourceNames({ sourceNames }: ReferenceDeps): Handler<Routes["listSourceNames"]> {
  return async () => ({ body: { data: await sourceNames() } });
}

/** GET /v1/sources/{name}. */
export function readSource({ sourceDetail }: ReferenceDeps): Handler<Routes["readSource"]> {
  return async ({ params: { name } }) => {
    const found = await sourceDetail(name);
    if (found === null) throw new ApiError("not_found", { detail: `There is no source '${name}'` });
    return { body: found };
  };
}
