// The page's style, with the colors and fonts of the app (packages/web/src/styles/tokens.css).
// cspell:dictionaries css fonts

const colors = `
:root {
  color-scheme: light dark;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --ground: #fdfdfc;
  --raised: #ffffff;
  --sunken: #f1f1ed;
  --hover: #eaeae5;
  --line: #e1e1db;
  --line-strong: #8b8f97;
  --text: #1c1f24;
  --muted: #575d68;
  --accent: #2f4fc4;
  --error: #b3261e;
  --error-soft: #fcebe9;
  --warning: #855300;
  --warning-soft: #fbf1dc;
  --good: #1c6b45;
  --good-soft: #e2f3ea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181d;
    --raised: #20242b;
    --sunken: #1d2027;
    --hover: #272b33;
    --line: #2e333c;
    --line-strong: #767d8a;
    --text: #e6e8ec;
    --muted: #a4abb8;
    --accent: #98b0ff;
    --error: #ff9c92;
    --error-soft: #3a2224;
    --warning: #ecbe6b;
    --warning-soft: #352b1c;
    --good: #7fd3a7;
    --good-soft: #1e3329;
  }
}
`

const text = `
*, *:before { box-sizing: border-box; }
html { scroll-padding-top: 64px; -webkit-text-size-adjust: 100%; }
body {
  max-width: 1180px;
  margin: 0 auto;
  padding: 0 24px 80px;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.55 var(--sans);
  overflow-wrap: anywhere;
  -webkit-font-smoothing: antialiased;
}
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-size: 27px; font-weight: 680; line-height: 1.25; letter-spacing: -0.015em; }
h2 { margin-bottom: 14px; font-size: 19px; font-weight: 650; letter-spacing: -0.01em; }
h2 small { margin-left: 4px; }
h3 { font-size: 16px; font-weight: 620; }
.label { margin: 12px 0 6px; color: var(--muted); font-size: 13px; }
ul, ol { list-style: none; }
li { display: block; }
[hidden] { display: none !important; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { border-radius: 4px; outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: var(--mono); font-size: 0.87em; }
pre { line-height: 1.5; white-space: pre-wrap; }
small, dt, caption { color: var(--muted); font-size: 13px; font-weight: 400; }
.muted, .place, .target { color: var(--muted); }
.good, .low { color: var(--good); }
.bad { color: var(--error); }
.warn, .high { color: var(--warning); }
.tag { padding: 1px 8px; border-radius: 999px; background: var(--warning-soft); color: var(--warning); font-size: 12px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
caption { padding-bottom: 6px; font-weight: 620; text-align: left; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); font-weight: 400; text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: 12px; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:before {
  content: "";
  display: inline-block;
  width: 6px;
  height: 6px;
  margin: 0 9px 2px 1px;
  border: solid var(--muted);
  border-width: 0 1.5px 1.5px 0;
  transform: rotate(-45deg);
}
details[open] > summary:before { transform: rotate(45deg); }
.facts div { display: grid; grid-template-columns: 120px 1fr; gap: 12px; padding: 2px 0; }
.facts dd, .facts pre { min-width: 0; }
`

const parts = `
header { padding: 36px 0 18px; }
header > * + * { margin-top: 18px; }
.tiles {
  display: flex;
  flex-wrap: wrap;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--raised);
}
.tiles div { flex: 1 1 150px; padding: 12px 16px; box-shadow: 1px 1px var(--line); }
.tiles dt { font-size: 12px; }
.tiles dd { font-weight: 600; }
.tiles time { font-size: 13px; white-space: nowrap; }
.tiles div:has(time) { min-width: max-content; }
.tiles dd span { display: inline-block; margin-right: 8px; white-space: nowrap; }
.bar {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px 20px;
  padding: 8px 0;
  border-bottom: 1px solid var(--line);
  background: var(--ground);
}
nav { flex: 1; min-width: 0; overflow-x: auto; }
nav ul { display: flex; gap: 2px; }
nav a { display: block; padding: 4px 10px; border-radius: 6px; color: var(--muted); font-size: 14px; text-decoration: none; white-space: nowrap; }
nav a:hover { background: var(--hover); color: var(--text); }
nav a:focus-visible { outline-offset: -2px; }
nav li:first-child a { padding-left: 0; font-weight: 650; }
nav a.good { color: var(--good); }
nav a.bad { color: var(--error); }
form { display: flex; align-items: center; gap: 8px; }
input, select {
  height: 32px;
  padding: 0 10px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--raised);
  color: var(--text);
  font: 14px var(--sans);
}
form span { color: var(--muted); font-size: 13px; white-space: nowrap; }
form span:empty { display: none; }
section { margin-top: 36px; }
article, .run { margin-bottom: 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); }
article, .run.failed, .run.error { border-left: 3px solid var(--error); }
article { padding: 16px 20px 18px; }
article > * + * { margin-top: 12px; }
article > h3 + * { margin-top: 2px; }
article > .where + .message { margin-top: 6px; }
article > details > summary { font-size: 14px; }
.where, .hint { font-size: 14px; }
.message { font-weight: 550; white-space: pre-wrap; }
.hint { color: var(--muted); }
:is(.where, .list) code:not([class]) { white-space: nowrap; }
.assertion { padding-top: 10px; border-top: 1px solid var(--line); }
.assertion > * + * { margin-top: 8px; }
.compared, .exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr)); gap: 8px 16px; }
pre { padding: 10px 12px; border-radius: 8px; background: var(--sunken); }
pre i { color: var(--muted); font-style: normal; }
.exchange small { font-weight: 400; }
.wanted { background: var(--good-soft); }
.received { background: var(--error-soft); }
.diff { table-layout: fixed; }
.run > summary { padding: 9px 16px; }
.run > summary:hover { background: var(--hover); border-radius: 9px; }
.run > summary b { margin-right: 4px; }
:is(summary, .label) > b { font-weight: 620; }
.run > :not(summary) { margin: 4px 16px 14px; }
.run > .timeline { width: calc(100% - 32px); }
.run > ol { padding-top: 8px; border-top: 1px solid var(--line); }
.run ol ol { margin-left: 4px; padding-left: 16px; border-left: 1px solid var(--line); }
.run li { padding: 2px 0 2px 16px; font-size: 14px; }
.run li small, .run li .warn, .target + b { margin-left: 4px; }
.run li > details > p { color: var(--muted); font-size: 13px; }
.run li > details { margin-left: -16px; }
.run li > details > :not(summary, ol) { margin-left: 17px; }
.run li > details > .exchange { margin-bottom: 12px; }
.checks { margin-bottom: 6px; }
.list li { padding: 6px 12px; border-radius: 8px; background: var(--warning-soft); }
.list li + li { margin-top: 6px; }
.timed > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 0 4px; }
.timed > summary svg { flex: 1 1 240px; max-width: 40%; margin-left: auto; color: var(--accent); }
.timed.failed > summary svg { color: var(--error); }
.timeline { table-layout: fixed; }
.timeline thead th { width: 84px; }
.timeline thead th:first-child { width: 30%; }
.timeline td { white-space: nowrap; }
.timeline td:last-child { color: var(--accent); vertical-align: middle; }
.timeline .failed td:last-child { color: var(--error); }
.timeline svg { display: block; }
.axis { overflow: visible; fill: var(--muted); font-size: 11px; }
.coverage td span { display: inline-block; margin-right: 8px; white-space: nowrap; }
section > h3 { margin-top: 20px; }
section > table { margin-top: 8px; }
`

const narrow = `
@media (max-width: 640px) {
  html { scroll-padding-top: 100px; }
  body { padding: 0 14px 60px; }
  header { padding-top: 22px; }
  h1 { font-size: 23px; }
  .tiles { display: grid; grid-template-columns: 1fr 1fr; }
  .tiles div:has(time) { grid-column: 1 / -1; }
  .tiles div { padding: 9px 12px; }
  form { flex: 1 0 100%; min-width: 0; }
  input { flex: 1; min-width: 0; }
  article { padding: 14px; }
  .facts div { grid-template-columns: 80px 1fr; }
  .run > summary { padding: 9px 12px; }
  .run > :not(summary) { margin: 4px 12px 12px; }
  .timed > summary svg { flex-basis: 100%; max-width: 100%; }
  .run > .timeline { width: calc(100% - 24px); }
  .run ol ol { margin-left: 2px; padding-left: 10px; }
  th, td { padding: 5px 6px; }
  thead { font-size: 12px; }
  .timeline thead { display: none; }
  .timeline tr { display: grid; grid-template-columns: 1fr auto 60px; border-bottom: 1px solid var(--line); }
  .timeline tbody th, .timeline td { padding: 4px 0 4px 8px; border: 0; text-align: right; }
  .timeline tbody th { padding-left: 0; text-align: left; }
  .timeline td:last-child { grid-column: 1 / -1; padding: 0 0 6px; }
  .problems, .problems caption, .problems tbody, .problems tr, .problems tbody :is(th, td) { display: block; border: 0; }
  .problems thead { display: none; }
}
`

export const style = [colors, text, parts, narrow].join("").replaceAll(/\n */g, "")
