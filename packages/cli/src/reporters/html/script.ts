// The page's script: search, a filter by status, and folded parts that open for a link. The page is readable without it.

export const script = `"use strict";
const form = document.querySelector("form");
const [search, status, result] = form.children;
const main = document.querySelector("main");
const items = [...document.querySelectorAll("article, details.run, details.run li, .timeline tbody tr")];
const above = new Map(items.map((item) => [item, item.parentElement.closest("details.run, li")]));
const texts = new Map();
const searchedText = (item) => {
  let text = texts.get(item);
  if (text === undefined) {
    const part = item.querySelector("ol, table.timeline") ? item.querySelector("summary") : item;
    texts.set(item, (text = part.textContent.toLowerCase()));
  }
  return text;
};
const folds = new Map();
const unfold = (item) => {
  const fold = item.matches("details") ? item : item.querySelector(":scope > details");
  if (!fold || fold.open) return;
  folds.set(fold, true);
  fold.open = true;
};
const filter = () => {
  const wanted = search.value.trim().toLowerCase();
  const all = !wanted && !status.value;
  for (const fold of folds.keys()) fold.open = false;
  folds.clear();
  const found = new Set();
  for (const item of items)
    if (!wanted || found.has(above.get(item)) || searchedText(item).includes(wanted)) found.add(item);
  const shown = new Set();
  let count = 0;
  for (const item of [...items].reverse()) {
    const hit = found.has(item) && (!status.value || item.classList.contains(status.value));
    if (hit && item.matches("article, li")) count++;
    if (!hit && !shown.has(item)) continue;
    const outer = above.get(item);
    if (shown.has(item) && !all) unfold(item);
    shown.add(item);
    if (outer) shown.add(outer);
  }
  const { scrollX, scrollY } = window;
  // Without this, the browser would lay out the page for each item.
  main.hidden = true;
  main.getBoundingClientRect();
  for (const item of items) item.hidden = !shown.has(item);
  main.hidden = false;
  scrollTo(scrollX, scrollY);
  result.textContent = all ? "" : count === 1 ? "1 match" : count + " matches";
};
let timer;
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(filter, 120);
});
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input")) return;
  event.preventDefault();
  search.focus();
});
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.matches("details")) at.open = true;
};
addEventListener("hashchange", reveal);
reveal();
`
