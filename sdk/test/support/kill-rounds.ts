import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Installation,
  type MemberName,
  memberNames,
  type Role,
} from "../../../server/test/chaos/installation.ts";
import type { Pusher } from "../../../server/test/chaos/pusher.ts";
import { stubbornSockets } from "../../../server/test/chaos/stubborn-sockets.ts";
import { until } from "../../../server/test/support/receiver.ts";
import type { Reader } from "./reader.ts";

/**
 * idle: nothing is pushed or owed. batch: a request with items is under way. accepted: one was answered just now.
 * resuming: the process was killed already, and is catching up.
 */
export const moments = ["idle", "batch", "accepted", "resuming"] as const;
export type Moment = (typeof moments)[number];
export const roles: readonly Role[] = ["ingest", "api", "stream", "webhooks", "score"];

export type Round =
  | { readonly fault: "kill"; readonly role: Role; readonly moment: Moment }
  | { readonly fault: "nats"; readonly moment: "idle" | "batch"; readonly awayMs: number }
  | { readonly fault: "connections"; readonly moment: Moment }
  | { readonly fault: "stop"; readonly role: Role }
  /** It stands still for longer than its leases, and goes on as if nothing had been. */
  | { readonly fault: "freeze"; readonly role: Role; readonly forMs: number }
  /** All processes at the same moment. */
  | { readonly fault: "blackout"; readonly moment: Moment };

export interface Scene {
  readonly installation: Installation;
  readonly pusher: Pusher;
  /** Readers of each process with streams. */
  readonly readers: Readonly<Partial<Record<MemberName, readonly Reader[]>>>;
}

export const nameOf = (round: Round) =>
  Object.values(round)
    .filter((part) => typeof part === "string")
    .join(" ");

/** Causes the fault, and puts right what a supervisor would. */
export async function play(round: Round, scene: Scene): Promise<void> {
  const { installation, pusher } = scene;
  if (round.fault === "kill") await kill(round, scene);
  else if (round.fault === "connections")
    await at(round.moment, pusher, async () => void (await installation.dropConnections()));
  else if (round.fault === "nats") {
    await at(round.moment, pusher, () => installation.nats.kill());
    await sleep(round.awayMs);
    await installation.nats.restart();
  } else if (round.fault === "freeze") {
    const name = memberOf(round.role, scene);
    await at("batch", pusher, async () => installation.signal(name, "SIGSTOP"));
    await sleep(round.forMs);
    installation.signal(name, "SIGCONT");
  } else if (round.fault === "blackout") {
    const kill = (name: MemberName) => installation.end(name, "SIGKILL");
    await at(round.moment, pusher, async () => void (await Promise.all(memberNames.map(kill))));
    await Promise.all(memberNames.map((name) => installation.revive(name)));
  } else {
    const name = memberOf(round.role, scene);
    using _open = await stubbornSockets(installation.url(name));
    assert.equal(await installation.end(name, "SIGTERM"), 0, `exit code of ${name}`);
    await installation.revive(name);
  }
}

async function kill({ role, moment }: { role: Role; moment: Moment }, scene: Scene): Promise<void> {
  const { installation, pusher } = scene;
  const kills = (name: MemberName) => async () => void (await installation.end(name, "SIGKILL"));
  // The process that has the request or has just answered it.
  const isThere = () => role !== "api" || installation.isProcess(installation.lastAsked);
  await at(moment, pusher, () => kills(memberOf(role, scene))(), isThere);
  const name = memberNames.find((member) => !installation.runs(member));
  assert.ok(name !== undefined);
  if (moment === "resuming") {
    const before = countsOf(scene, name);
    await installation.revive(name);
    if (role === "stream") await until(() => hasMore(scene, name, before), "a reader has come back", 30_000);
    else await sleep(Math.random() * 100);
    await kills(name)();
  }
  await installation.revive(name);
}

/** @param isThere whether the moment is one for the work; else it waits for the next one */
async function at(
  moment: Moment,
  pusher: Pusher,
  work: () => Promise<void>,
  isThere = () => true,
): Promise<void> {
  if (moment === "idle")
    return pusher.paused(async () => {
      await sleep(500);
      await work();
    });
  do await (moment === "accepted" ? pusher.answered : pusher.sent);
  while (!isThere());
  if (moment === "batch") await sleep(Math.random() * 15);
  await work();
}

function memberOf(role: Role, { installation }: Scene): MemberName {
  if (role === "api") return installation.lastAsked;
  if (role !== "stream") return role;
  return Math.random() < 0.5 && installation.isProcess("stream-2") ? "stream-2" : "stream-1";
}

const countsOf = ({ readers }: Scene, name: MemberName) => (readers[name] ?? []).map(({ got }) => got.length);

function hasMore({ readers }: Scene, name: MemberName, before: readonly number[]): boolean {
  return (readers[name] ?? []).some(({ got }, n) => got.length > (before[n] ?? 0));
}
