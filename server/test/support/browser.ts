import assert from "node:assert/strict";
import { type Session, session, type TabKey, tabKey } from "@tapewire/contract/dashboard/people.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import type { z } from "zod";

/** A browser that has a page of the service open: it keeps the cookie and sends the origin. */
export class Browser {
  readonly #url: string;
  #cookie: string | null = null;
  /** Set-Cookie of the last answer that had one. */
  setCookie = "";

  constructor(url: string, cookie: string | null = null) {
    this.#url = url;
    this.#cookie = cookie;
  }

  get cookie(): string | null {
    return this.#cookie;
  }

  /** @param headers instead of those that a browser sends; an empty value leaves a header out */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const sent = {
      origin: this.#url,
      ...(this.#cookie === null ? {} : { cookie: this.#cookie }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const response = await fetch(this.#url + path, {
      method,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) {
      this.setCookie = set;
      const pair = set.split(";", 1)[0] ?? "";
      this.#cookie = pair.endsWith("=") ? null : pair;
    }
    return response;
  }

  /** The parsed answer of a call that succeeds. */
  async ask<S extends z.ZodType>(
    schema: S,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<z.infer<S>> {
    const response = await this.send(method, path, body);
    const answer: unknown = await response.json();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return schema.parse(answer);
  }

  /** The error code of a call that is refused. */
  async refused(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const response = await this.send(method, path, body, headers);
    assert.equal(response.ok, false, `${method} ${path} succeeded`);
    const told = problem.parse(await response.json());
    assert.equal(told.status, response.status);
    return told.code;
  }

  signIn(way: Record<string, unknown>): Promise<Session> {
    return this.ask(session.strict(), "POST", "/app/v1/session", way);
  }

  tabKey(accountId: string, as: "member" | "operator" = "member"): Promise<TabKey> {
    return this.ask(tabKey.strict(), "POST", "/app/v1/token", { account_id: accountId, as });
  }
}

/** The token of a link's address. */
export const tokenOf = (url: string): string => url.split("/").at(-1) ?? "";
