import { loadEnvFile } from "@tapewire/server/config/config.ts";
import { run } from "./run.ts";

// The reader of our output may stop reading: `tail --json | head`.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit(0);
  throw error;
});
loadEnvFile();
process.exitCode = await run(process.argv.slice(2));
