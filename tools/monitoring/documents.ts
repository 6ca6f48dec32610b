/** Boards in Grafana's JSON, alerts and their tests in Prometheus' YAML. */
import { stringify } from "yaml";
import type { Alert, Board, Panel, Query } from "./types.ts";

const origin = "tools/grafana.ts";
const columns = 24;
const sizes = { stat: { w: 4, h: 4 }, graph: { w: 8, h: 8 } } as const;
const source = { type: "prometheus", uid: "$" + "{datasource}" };

const onBoard = (query: Query) =>
  query.replaceAll("$of", 'job="tapewire",instance=~"$instance"').replaceAll("$range", "$__rate_interval");
const inAlert = (query: Query) => query.replaceAll("$of", 'job="tapewire"');

/** @returns text by name of the file */
export function boardFiles(boards: readonly Board[]): Record<string, string> {
  return Object.fromEntries(
    boards.map((board) => [`${board.name}.json`, `${JSON.stringify(boardJson(board, boards), null, 2)}\n`]),
  );
}

function boardJson({ name, title, rows }: Board, all: readonly Board[]) {
  return {
    uid: `tapewire-${name}`,
    title: `Tapewire: ${title}`,
    description: `Made by node ${origin}; changes here are lost.`,
    tags: ["tapewire"],
    schemaVersion: 41,
    editable: false,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    timezone: "utc",
    templating: { list: [datasource, instances] },
    links: all
      .filter((other) => other.name !== name)
      .map((other) => ({
        ...{ type: "link", title: other.title, url: `/d/tapewire-${other.name}` },
        ...{ includeVars: true, keepTime: true },
      })),
    panels: placed(rows),
  };
}

const datasource = { name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" };
const instances = {
  ...{ name: "instance", label: "Process", type: "query", datasource: source },
  query: { query: 'label_values(tapewire_build_info{job="tapewire"}, instance)', refId: "instance" },
  ...{ includeAll: true, multi: true, allValue: ".*", current: { text: "All", value: "$__all" } },
  ...{ refresh: 2, sort: 1 },
};

/** Rows below each other; their panels from left to right. */
function placed(rows: Board["rows"]): object[] {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      ...{ id: panels.length + 1, type: "row", title: row.title, collapsed: false, panels: [] },
      gridPos: { x: 0, y, w: columns, h: 1 },
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of row.panels) {
      const { w, h } = sizes[panel.kind ?? "graph"];
      if (x + w > columns) {
        x = 0;
        y += height;
      }
      panels.push(panelJson(panel, panels.length + 1, { x, y, w, h }));
      x += w;
      height = h;
    }
    y += height;
  }
  return panels;
}

function panelJson({ title, about, unit, kind, queries }: Panel, id: number, gridPos: object) {
  const custom = kind === "stat" ? {} : { custom: { lineWidth: 1, fillOpacity: 8, showPoints: "never" } };
  return {
    ...{ id, type: kind === "stat" ? "stat" : "timeseries", title },
    ...(about === undefined ? {} : { description: about }),
    ...{ datasource: source, gridPos },
    fieldConfig: { defaults: { unit, min: 0, ...custom }, overrides: [] },
    options:
      kind === "stat"
        ? { reduceOptions: { calcs: ["lastNotNull"] }, graphMode: "area" }
        : { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: Object.entries(queries).map(([legendFormat, query], at) => ({
      ...{ refId: String.fromCharCode(65 + at), datasource: source },
      ...{ expr: onBoard(query), legendFormat },
    })),
  };
}

const head = `# Made by node ${origin}; do not edit.\n`;
const annotationsOf = ({ summary, action }: Alert) => ({ summary, action });

export function alertRules(alerts: readonly Alert[]): string {
  const rules = alerts.map((alert) => ({
    alert: alert.name,
    expr: inAlert(alert.query),
    for: alert.for,
    labels: { severity: alert.severity },
    annotations: annotationsOf(alert),
  }));
  return head + stringify({ groups: [{ name: "tapewire", rules }] }, { lineWidth: 0 });
}

/** For promtool test rules: each alert fires for what is bad, and not for what is good. */
export function alertTests(alerts: readonly Alert[]): string {
  const tests = alerts.flatMap((alert) => {
    const { atMinute, bad, good, labels = {} } = alert.test;
    // `absent` carries over what its selector names.
    const own = { ...labels, ...(/^\(?(sum|max|histogram)/.test(alert.query) ? {} : { job: "tapewire" }) };
    const fired = { exp_labels: { severity: alert.severity, ...own }, exp_annotations: annotationsOf(alert) };
    return [
      { series: bad, expected: [fired] },
      { series: good, expected: [] },
    ].map(({ series, expected }) => ({
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: `${atMinute}m`, alertname: alert.name, exp_alerts: expected }],
    }));
  });
  return (
    head + stringify({ rule_files: ["alerts.yaml"], evaluation_interval: "1m", tests }, { lineWidth: 0 })
  );
}
