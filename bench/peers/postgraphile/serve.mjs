/** PostGraphile over the schema `peer`, as its manual sets it up for production. Prints its port. */
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ["peer"] })],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
};
const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
