/** The report as one file: no script, nothing loaded from elsewhere. */
import { barChart } from "./chart.ts";
import { escaped } from "./markup.ts";
import type { GroupName, GroupReport, HorizonReport, StudyReport } from "./report.ts";
import { aucText, excludedLines, moveText, shareText, summaryLines } from "./text.ts";

const style = `:root{color-scheme:light dark;--ink:#1c2430;--dim:#5a6472;--line:#d5dae1;--paper:#fff;--mark:#2463b4}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--dim:#9aa4b2;--line:#333b47;--paper:#14181e;--mark:#7fb2f0}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}p,li,caption{color:var(--dim)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin:1rem 0}caption{text-align:left}
th,td{text-align:right;padding:.2rem .5rem;border-bottom:1px solid var(--line)}th:first-child,td:first-child{text-align:left}
.figures{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;margin:1rem 0}.figures b{display:block;font-size:1.25rem;color:var(--ink)}
.charts{display:flex;flex-wrap:wrap;gap:1.5rem}figure{margin:0;flex:1 1 24rem;min-width:0}figcaption{color:var(--ink);font-weight:600}
svg{width:100%;height:auto}svg text{fill:var(--dim);font-size:11px}`;

export function htmlReport(report: StudyReport): string {
  const lines = [...summaryLines(report), ...excludedLines(report).map((line) => `Left out: ${line}`)];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>How prices moved after items</title>
<style>${style}</style>
<h1>How prices moved after items</h1>
<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>
<p>Each item counts once, with the first scores it had, from the moment it was logged. Brackets hold 95 % intervals. Items of one
symbol whose moves share prices, or that came on one UTC day, are one observation to an interval. Of twenty true null effects one lies outside by chance; the tables hold many.</p>
${report.horizons.map((horizon) => section(horizon, report.abnormal_from)).join("\n")}
</html>
`;
}

function section(horizon: HorizonReport, abnormalFrom: number): string {
  const { by } = horizon;
  return `<h2>After ${escaped(horizon.horizon)}</h2>
<div class="figures">
<div>Items<b>${horizon.observations}</b></div>
<div>AUC of actionability<b>${aucText(horizon.auc)}</b></div>
<div>Right about the direction<b>${shareText(horizon.hit_rate)}</b></div>
<div>Mean move in that direction<b>${moveText(horizon.mean_move)}</b></div>
</div>
<div class="charts">
${barChart("Does a higher conviction mean right more often?", by.conviction, ({ hit_rate }) => hit_rate, { percentDigits: 0, base: 0.5 })}
${barChart(`Does a higher actionability score mean moves of ${abnormalFrom} usual moves or more?`, by.score, ({ abnormal }) => abnormal, { percentDigits: 0, base: 0 })}
${barChart("Which way did the price go?", by.direction, ({ mean_move }) => mean_move, { percentDigits: 2, base: 0 })}
${barChart("At which hour (UTC) do scores earn most?", by.hour, ({ mean_move }) => mean_move, { percentDigits: 2, base: 0 })}
</div>
${tables.map(([name, title]) => table(title, by[name])).join("\n")}`;
}

const tables: readonly (readonly [GroupName, string])[] = [
  ["conviction", "Conviction"],
  ["score", "Actionability score"],
  ["direction", "Direction"],
  ["actionable", "Verdict"],
  ["event", "Event"],
  ["source", "Source"],
  ["hour", "Hour (UTC)"],
];

function table(title: string, rows: readonly GroupReport[]): string {
  const body = rows.map(
    ({ key, n, hit_rate, mean_move, abnormal }) =>
      `<tr><td>${escaped(key)}</td><td>${n}</td><td>${shareText(hit_rate)}</td><td>${moveText(mean_move)}</td><td>${shareText(abnormal)}</td></tr>`,
  );
  return `<table><thead><tr><th>${title}</th><th>Items</th><th>Right</th><th>Mean move</th><th>Abnormal</th></tr></thead>
<tbody>${body.join("")}</tbody></table>`;
}
