/**
 * `node tools/grafana.ts`: writes the boards of Grafana and the alerts of Prometheus, with their tests, from the lists in
 * monitoring/. `npm run check` fails while a committed file differs.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { alerts } from "./monitoring/alerts.ts";
import { boards } from "./monitoring/boards/boards.ts";
import { alertRules, alertTests, boardFiles } from "./monitoring/documents.ts";

const root = join(import.meta.dirname, "..");

/** The generated files: text by path from the root. */
export function monitoringDocuments(): Readonly<Record<string, string>> {
  const made = Object.entries(boardFiles(boards)).map(([name, text]) => [`deploy/grafana/${name}`, text]);
  return {
    ...Object.fromEntries(made),
    "deploy/prometheus/alerts.yaml": alertRules(alerts),
    "deploy/prometheus/alerts-test.yaml": alertTests(alerts),
  };
}

/** Every query of a board or an alert, with the labels that its legend shows. */
export function allQueries(): { readonly query: string; readonly legend: string }[] {
  const panels = boards.flatMap(({ rows }) => rows.flatMap((row) => row.panels));
  return [
    ...panels.flatMap(({ queries }) => Object.entries(queries).map(([legend, query]) => ({ legend, query }))),
    ...alerts.map(({ query }) => ({ query, legend: "" })),
  ];
}

/** The metrics that a query reads, and the labels that it matches. */
export function metricsOf(query: string) {
  return [...query.matchAll(/([a-z_][a-z0-9_]*)\{\$of,?([^}]*)\}/g)].map(([, name = "", rest = ""]) => ({
    name,
    matchers: [...rest.matchAll(/(\w+)=~?"([^"]*)"/g)].map(
      ([, label = "", value = ""]) => [label, value] as const,
    ),
  }));
}

/** Prints which files differ. */
export function monitoringIsCurrent(): boolean {
  const stale = Object.entries(monitoringDocuments()).filter(([path, text]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  for (const [path] of stale) console.error(`${path}: run node tools/grafana.ts`);
  return stale.length === 0;
}

if (import.meta.main)
  for (const [path, text] of Object.entries(monitoringDocuments())) {
    writeFileSync(join(root, path), text);
    console.log(path);
  }
