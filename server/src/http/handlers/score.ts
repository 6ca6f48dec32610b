import { setImmediate as nextTurn } from "node:timers/promises";
import { fieldErrors } from "@tapewire/contract/errors/errors.ts";
import {
  type ScoreArtifact,
  type ScoreBatch,
  type ScoreOptions,
  scoreArtifact,
  scoreOptions,
} from "@tapewire/contract/score.ts";
import type { IdempotentCalls } from "../../account/idempotent-calls.ts";
import type { Caller } from "../../account/keys/auth.ts";
import type { ScoreQuota } from "../../account/score-quota.ts";
import type { Scored } from "../../score/scorer.ts";
import type { History } from "../../store/log/history.ts";
import type { StoredText } from "../../store/log/item-texts.ts";
import type { Handlers, HandlersOf } from "../contract-routes.ts";
import { textOf } from "./feed-reads/item-texts.ts";
import { once } from "./idempotent.ts";

export interface ScoreDeps {
  readonly calls: IdempotentCalls;
  readonly quota: ScoreQuota;
  readonly history: Pick<History, "read">;
  readonly score: (artifact: ScoreArtifact, options: ScoreOptions, account: string) => Promise<Scored>;
  readonly scoreItem: (stored: StoredText, options: ScoreOptions, account: string) => Promise<Scored>;
}

export function scoreHandlers(deps: ScoreDeps): HandlersOf<"score"> {
  return { score: scoreOne(deps), scoreItem: scoreItem(deps), scoreBatch: scoreBatch(deps) };
}

/** POST /v1/score. A call that fails costs nothing. */
function scoreOne(deps: ScoreDeps): Handlers["score"] {
  return async ({ body, caller, idempotencyKey }) => {
    const { artifact, options = scoreOptions.parse({}) } = body;
    const work = () => charged(deps, caller, () => deps.score(artifact, options, caller.accountId));
    return {
      body: await once(deps.calls, { path: "/v1/score", caller, key: idempotencyKey, request: body }, work),
    };
  };
}

/** Takes a unit for a verdict; a call that fails gets it back. @returns the verdict with the usage, as JSON */
async function charged({ quota }: ScoreDeps, caller: Caller, work: () => Promise<Scored>): Promise<string> {
  const settle = await quota.take(caller, 1);
  try {
    const verdict = await work();
    return JSON.stringify({ ...verdict, usage: await settle(0) });
  } catch (error) {
    await settle(1);
    throw error;
  }
}

/** POST /v1/feeds/{id}/score: the stored text, whatever its licence: the verdict has quotes only. Stores nothing. */
function scoreItem(deps: ScoreDeps): Handlers["scoreItem"] {
  return async ({ params: { id }, body, caller, idempotencyKey }) => {
    const options = scoreOptions.parse(body);
    const work = async () => {
      const stored = await textOf(deps.history, id);
      return charged(deps, caller, () => deps.scoreItem(stored, options, caller.accountId));
    };
    const path = `/v1/feeds/${id}/score`;
    return { body: await once(deps.calls, { path, caller, key: idempotencyKey, request: body }, work) };
  };
}

/** POST /v1/score/batch: one unit per artifact; units of refused or failed artifacts are given back. */
function scoreBatch(deps: ScoreDeps): Handlers["scoreBatch"] {
  return async ({ body, caller, idempotencyKey }) => {
    const { artifacts, options = scoreOptions.parse({}) } = body;
    const work = async () => {
      const settle = await deps.quota.take(caller, artifacts.length);
      const results = await Promise.all(
        await begun(artifacts, (one) => tryScore(deps, one, options, caller.accountId)),
      );
      const usage = await settle(results.filter((one) => "error" in one).length);
      const data: ScoreBatch["data"] = results.map((one, index) =>
        "error" in one ? { index, error: one.error } : { index, verdict: { ...one.verdict, usage } },
      );
      return JSON.stringify({ data });
    };
    return {
      body: await once(
        deps.calls,
        { path: "/v1/score/batch", caller, key: idempotencyKey, request: body },
        work,
      ),
    };
  };
}

/** Starts each artifact in a separate turn: a hundred at once would delay other requests. */
async function begun(artifacts: readonly unknown[], work: (artifact: unknown) => Promise<Tried>) {
  const under: Promise<Tried>[] = [];
  for (const artifact of artifacts) {
    under.push(work(artifact));
    await nextTurn();
  }
  return under;
}

type Tried = { readonly verdict: Scored } | { readonly error: { code: string; message: string } };

/** Checks each artifact separately, so that an invalid one does not fail the others. */
async function tryScore(
  { score }: ScoreDeps,
  given: unknown,
  options: ScoreOptions,
  account: string,
): Promise<Tried> {
  const parsed = scoreArtifact.safeParse(given);
  if (!parsed.success) {
    const fields = fieldErrors(parsed.error, "body").map(({ name, detail }) =>
      name === "" ? detail : `${name}: ${detail}`,
    );
    return { error: { code: "invalid_body", message: fields.join("; ") } };
  }
  try {
    return { verdict: await score(parsed.data, options, account) };
  } catch {
    return { error: { code: "internal", message: "The artifact could not be scored" } };
  }
}
