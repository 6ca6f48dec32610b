/** The floor: node:http sending one answer, made beforehand, to whatever is asked. Its body and headers come by stdin. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";

const answer = z.object({ body: z.string(), headers: z.record(z.string(), z.string()) });

const { body, headers } = answer.parse(await json(process.stdin));
const bytes = Buffer.from(body);
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, "content-length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`port ${address?.port}`);
});
