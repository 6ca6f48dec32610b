import type * as http from "node:http";

/**
 * What is used of node:http. An import of that module reads every export, and one of them loads all of fetch: 14 MB, which a
 * service that never calls fetch has no use for.
 */
export const { createServer, STATUS_CODES }: typeof http = process.getBuiltinModule("node:http");
