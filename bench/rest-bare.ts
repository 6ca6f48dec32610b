/** The lower bound: node:http sends one prepared answer to every request; the answer comes as a line of stdin. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { z } from "zod";

const answer = z.object({ body: z.string(), headers: z.record(z.string(), z.string()) });

const [line] = z.tuple([z.string()]).parse(await once(createInterface({ input: process.stdin }), "line"));
const { body, headers } = answer.parse(JSON.parse(line));
const bytes = Buffer.from(body);
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, "content-length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`port ${address?.port}`);
});
