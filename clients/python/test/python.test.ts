/** The tests of the Python client, against a service. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { selfSigned } from "../../../server/test/support/certificates.ts";
import { anyEngine } from "../../../server/test/support/db.ts";
import { temporaryFolder } from "../../../server/test/support/process.ts";
import { startService } from "../../../server/test/support/service.ts";
import { needsPython, startPython } from "./support/python.ts";

test("the tests of the Python client pass", needsPython, async (context) => {
  await using service = await startService(anyEngine, { webhookAllow: ["127.0.0.0/8"], demo: "off" });
  const { key } = await service.key("enterprise");
  const free = await service.key("free");
  using folder = temporaryFolder();
  const certificate = selfSigned({ hosts: ["127.0.0.1"] });
  const files = { cert: join(folder.path, "cert.pem"), key: join(folder.path, "key.pem") };
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key);
  await using python = startPython(["-m", "unittest", "discover", "-t", ".", "-s", "tests", "-v"], {
    TAPEWIRE_URL: service.url,
    TAPEWIRE_KEY: key,
    TAPEWIRE_FREE_KEY: free.key,
    TAPEWIRE_ADMIN_TOKEN: service.adminToken,
    TEST_CERTIFICATE: files.cert,
    TEST_CERTIFICATE_KEY: files.key,
  });
  python.stdout.resume();
  const code = await python.end();
  assert.equal(code, 0, python.told());
  const [, count = "none"] = /^Ran (\d+) tests? in/m.exec(python.told()) ?? [];
  assert.ok(Number(count) >= 30, `${count} tests ran`);
  context.diagnostic(`${count} tests in Python`);
});
