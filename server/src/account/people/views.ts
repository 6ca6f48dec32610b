import { randomUUID } from "node:crypto";
import {
  keptView,
  mostViews,
  type View,
  type ViewCreate,
  type ViewUpdate,
} from "@tapewire/contract/dashboard/views.ts";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { accountFilterRule } from "@tapewire/contract/filter.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Queries } from "../../store/engine/db.ts";
import * as store from "../../store/people/views.ts";
import { demand, may } from "./rights.ts";
import type { Visitor } from "./types.ts";

/** Saved filters of the feed: one's own, and those that are shared with the account. */
export class Views {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(deps: { db: Queries; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** @throws {ApiError} forbidden, not_found: all methods */
  async list(visitor: Visitor, accountId: string): Promise<View[]> {
    await demand(this.#db, visitor, accountId, "see");
    return (await store.listViews(this.#db, accountId, visitor.personId)).map(shown);
  }

  /** @throws {ApiError} also conflict, when the account has too many; invalid_body, when their filters are too long together */
  async create(visitor: Visitor, accountId: string, wanted: ViewCreate): Promise<View> {
    const right = await demand(this.#db, visitor, accountId, "see");
    const isShared = wanted.shared || visitor.personId === null;
    if (isShared && !may(right, "act"))
      throw new ApiError("forbidden", { detail: "A viewer saves own views only" });
    const now = this.#clock.now();
    const { name, filters, columns, alert = null } = wanted;
    const made = {
      id: randomUUID(),
      account_id: accountId,
      person_id: isShared ? null : visitor.personId,
      created_by: visitor.personId,
      ...{ name, filters, columns, alert },
      created_at: now,
      updated_at: now,
    };
    demandSaved(await store.insertView(this.#db, made, mostViews));
    return shown(made);
  }

  /** @throws {ApiError} also invalid_body, as create */
  async update(visitor: Visitor, id: string, changes: ViewUpdate): Promise<View> {
    const { view, right } = await this.#changeable(visitor, id);
    const { shared = view.person_id === null } = changes;
    const isShared = shared || visitor.personId === null;
    if (isShared && view.person_id !== null && !may(right, "act"))
      throw new ApiError("forbidden", { detail: "A viewer saves own views only" });
    const { name, filters, columns, alert } = changes;
    const changed = {
      ...(name === undefined ? {} : { name }),
      ...(filters === undefined ? {} : { filters }),
      ...(columns === undefined ? {} : { columns }),
      ...(alert === undefined ? {} : { alert }),
      person_id: isShared ? null : visitor.personId,
      updated_at: this.#clock.now(),
    };
    demandSaved(await store.updateView(this.#db, view, changed));
    return shown({ ...view, ...changed });
  }

  async delete(visitor: Visitor, id: string): Promise<void> {
    await this.#changeable(visitor, id);
    await store.deleteView(this.#db, id);
  }

  /** One's own view, one that oneself shared, or any shared one for those who manage them. */
  async #changeable(visitor: Visitor, id: string) {
    const view = await store.viewById(this.#db, id);
    const isOthers = view !== null && view.person_id !== null && view.person_id !== visitor.personId;
    if (view === null || isOthers)
      throw new ApiError("not_found", { detail: "There is no view with this id" });
    const right = await demand(this.#db, visitor, view.account_id, "see");
    if (view.person_id === null && !may(right, "act"))
      throw new ApiError("forbidden", { detail: "A viewer changes own views only" });
    if (view.created_by !== visitor.personId && !may(right, "manageViews"))
      throw new ApiError("forbidden", { detail: "Somebody else shares this view" });
    return { view, right };
  }
}

/** @throws {ApiError} conflict, invalid_body */
function demandSaved(saving: store.Saving): void {
  if (saving === "limit_reached")
    throw new ApiError("conflict", { detail: `The account has ${mostViews} views already` });
  if (saving === "filters_full")
    throw new ApiError("invalid_body", {
      fields: [{ in: "body", name: "filters", detail: accountFilterRule }],
    });
}

/** The filters were checked when they were saved; kinds and tags may have gone since, and the dashboard says so. */
function shown(row: store.ViewRow): View {
  const { id, name, columns, alert } = row;
  return {
    ...{ id, name, columns, alert },
    filters: keptView.parse(row.filters),
    shared: row.person_id === null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
