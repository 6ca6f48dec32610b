import type { Board } from "../types.ts";
import { api } from "./api.ts";
import { ingest } from "./ingest.ts";
import { overview } from "./overview.ts";
import { webhooks } from "./webhooks.ts";

export const boards: readonly Board[] = [overview, ingest, api, webhooks];
