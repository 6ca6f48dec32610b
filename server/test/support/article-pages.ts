import { readFileSync } from "node:fs";
import { join } from "node:path";

export const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../fixtures/articles", name));
export const link = "https://ledger.example/2026/03/02/halvorn";

export const paragraph =
  "Halvorn Biotech said that it expects revenue of $1.7 billion this year, and that its plant in Osterby opens in June. ";
export const page = (inside: string, title = "Halvorn expects more") =>
  `<!doctype html><html><head><title>${title}</title></head><body><article>${inside}</article></body></html>`;
