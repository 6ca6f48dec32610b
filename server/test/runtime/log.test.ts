import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { createLog, type LogOptions, withoutSecrets } from "../../src/runtime/log.ts";
import { growsLinearly } from "../support/growth.ts";

function written(
  tell: (log: ReturnType<typeof createLog>) => void,
  options: LogOptions,
  level = "info",
): string {
  let text = "";
  const out = { write: (more: string) => (text += more) };
  tell(createLog(level, { ...options, out }));
  return text;
}
type Tell = Parameters<typeof written>[0];
const onTerminal = (tell: Tell, level?: string) => written(tell, { isTerminal: true }, level);
const elsewhere = (tell: Tell) => written(tell, { isTerminal: false });

test("on a terminal an entry is a line for people, elsewhere JSON, unless it is set", () => {
  const tell: Tell = (log) => log.info({ source: "sec-edgar", created: 12, note: "a, b" }, "polled");
  assert.match(
    onTerminal(tell),
    /^\d\d:\d\d:\d\d INFO {2}polled: source sec-edgar, created 12, note "a, b"\n$/,
  );
  const { time, ...entry } = JSON.parse(elsewhere(tell));
  assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  assert.deepEqual(entry, { level: 30, source: "sec-edgar", created: 12, note: "a, b", msg: "polled" });
  assert.match(written(tell, { format: "text", isTerminal: false }), /^\d\d:\d\d:\d\d INFO {2}polled/);
  assert.equal(JSON.parse(written(tell, { format: "json", isTerminal: true })).msg, "polled");
  assert.match(
    onTerminal((log) => log.warn("alone")),
    /^\S+ WARN {2}alone\n$/,
  );
});

test("an error is told by its message and its causes; its stack follows where debug is logged", () => {
  const err = new TypeError("reading failed", { cause: new Error("the host is gone") });
  const tell: Tell = (log) => log.error({ err, source: "wire" }, "poll failed");
  assert.match(
    onTerminal(tell),
    /^\S+ ERROR poll failed: source wire, TypeError: reading failed: the host is gone\n$/,
  );
  const lines = onTerminal(tell, "debug").trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^\S+ ERROR poll failed/);
  assert.ok(lines.length > 3 && lines.slice(1).every((line) => line.startsWith("    ")));
  assert.ok(lines.some((line) => line.includes("log.test.ts")));
});

test("a text from outside steers no terminal and makes no line of its own", () => {
  const title = "\u001b[2J\u001b]0;x\u0007\r\n12:00:00 FATAL gone\u009b31m\u202e\u2028\u007f\ud800";
  const tell: Tell = (log) => log.warn({ title, err: new Error(title) }, title);
  for (const level of ["info", "debug"])
    for (const line of onTerminal(tell, level).trimEnd().split("\n"))
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Cs}\u2028]/u);
  assert.equal(onTerminal(tell).trimEnd().split("\n").length, 1);
  const json = elsewhere(tell).trimEnd();
  assert.doesNotMatch(json, /\p{Cc}/u);
  assert.equal(JSON.parse(json).title, title);
});

test("no secret is shown, wherever it stands", () => {
  const secrets = [
    ["postgres://tapewire:pa55-wd@db.internal/news", "pa55-wd"],
    ["https://user:pa55@wire.example/feed?x=1", "pa55"],
    ["https://wire.example/feed?api_key=abc123&x=1", "abc123"],
    ["https://wire.example/feed?x=1&access_token=abc123", "abc123"],
    ["Authorization: Bearer abc123.def", "abc123"],
    ["tw_live_0123456789abcdefABCDEF", "0123456789abcdefABCDEF"],
    ["tw_tab_0123456789abcdefABCDEF", "0123456789abcdefABCDEF"],
    ["http://127.0.0.1:8080/app/#/start/0123456789-abcdefABCDEF", "0123456789-abcdefABCDEF"],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ] as const;
  for (const [text, secret] of secrets) {
    const err = new Error(`asked ${text}`, { cause: new Error(text) });
    const tell: Tell = (log) => log.error({ err, url: text, deep: { url: text } }, `it was ${text}`);
    for (const shown of [elsewhere(tell), onTerminal(tell, "debug")]) {
      assert.ok(!shown.includes(secret), shown);
      assert.ok(shown.includes("[hidden]"), shown);
    }
    JSON.parse(elsewhere(tell));
  }
  const harmless = "https://wire.example/2026/03/chief@home?keyword=oil&x=a@b.example";
  assert.equal(JSON.parse(elsewhere((log) => log.info({ harmless }, "x"))).harmless, harmless);
});

test("a process whose stderr is no terminal logs JSON", () => {
  const code = `import { createLog } from "${import.meta.dirname}/../../src/runtime/log.ts"; createLog("info").info("x");`;
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code]);
  assert.equal(JSON.parse(stderr.toString()).msg, "x", stderr.toString());
  assert.equal(stdout.length, 0);
});

test("hiding secrets takes time in proportion to the text, whatever its form", () => {
  for (const piece of ["a-", "a.", "a", "?a", " -", "key", "a://", "b_live", "Bearer ", '"', "&x-key"])
    assert.ok(growsLinearly(withoutSecrets, piece), piece);
});

test("a text of a line is cut, in either form, and the rest of the line stays", () => {
  const long = "http://".concat("a-".repeat(50_000), "\ud83d\ude00");
  const tell: Tell = (log) =>
    log.warn({ source: "wire", deep: { reason: [long] }, err: new Error(long) }, long);
  const entry = JSON.parse(elsewhere(tell));
  assert.deepEqual([entry.source, entry.level], ["wire", 40]);
  assert.match(entry.msg, /^http:.{3990,4010}\.\.\.$/);
  assert.match(entry.deep.reason[0], /^http:.{3990,4010}\.\.\.$/);
  for (const shown of [elsewhere(tell), onTerminal(tell, "debug")]) assert.ok(shown.length < 20_000);
});
