/** The style sheet of the reference page. The page's Content-Security-Policy has its hash. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: #1c2126; --dim: #57606a; --line: #d8dee4; --soft: #f5f7f9; --page: #fff; --link: #0a58b0; --mark: #fff3cd; }
@media (prefers-color-scheme: dark) { :root { --ink: #dde3ea; --dim: #9aa5b1; --line: #333b44; --soft: #1b2127; --page: #12161a; --link: #7ab7ff; --mark: #4a3d10; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
:target { background: var(--mark); }
code, pre, .method { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .875em; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--page); padding: .25rem .5rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); color: var(--dim); }
header .name { font-weight: 650; color: var(--ink); text-decoration: none; }
header .links { margin-left: auto; display: flex; gap: 1rem; }
nav { padding: 1rem 1.5rem; font-size: .875rem; max-height: 16rem; overflow: auto; border-bottom: 1px solid var(--line); }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
nav a { display: block; padding: .125rem 0; color: var(--dim); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover, nav a:focus { color: var(--link); }
nav .group { color: var(--ink); font-weight: 600; }
nav a:has(.method) { display: grid; grid-template-columns: 3.5rem 1fr; align-items: baseline; }
nav .method { font-size: .75rem; }
main { padding: 1.5rem; min-width: 0; max-width: 60rem; }
h1 { font-size: 1.875rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.375rem; margin: 2.5rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.0625rem; margin: 2rem 0 .25rem; }
h4 { font-size: .875rem; margin: 1.25rem 0 .25rem; color: var(--dim); }
p { margin: .5rem 0; }
.lead { font-size: 1.125rem; color: var(--dim); }
.anchor { visibility: hidden; text-decoration: none; }
h3:hover .anchor, .anchor:focus { visibility: visible; }
.method { font-weight: 650; }
.access { font-size: .8125rem; color: var(--dim); border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; margin-left: .5rem; text-decoration: none; white-space: nowrap; }
.example, .headers { color: var(--dim); font-size: .875rem; }
.address code { overflow-wrap: anywhere; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .375rem; padding: .75rem 1rem; overflow: auto; max-height: 30rem; line-height: 1.45; }
.table { overflow-x: auto; margin: .5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; white-space: nowrap; }
td { min-width: 6rem; }
td:last-child { padding-right: 0; }
summary { cursor: pointer; color: var(--link); font-size: .875rem; }
.answer { margin: .375rem 0; }
.error { display: inline-block; margin-right: 1.25rem; }
@media (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; max-height: none; border-bottom: 0; border-right: 1px solid var(--line); }
  main { padding: 1.5rem 3rem 4rem; }
}
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); }
  table, tbody, tr, th, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .375rem 0; }
  tbody th, td { border: 0; padding: 0; }
  td:not(:last-child) { color: var(--dim); }
}
@media print {
  nav, .skip, .anchor, header .links { display: none; }
  body { font-size: 10pt; }
  pre { max-height: none; white-space: pre-wrap; }
  article { break-inside: avoid-page; }
}
`;
