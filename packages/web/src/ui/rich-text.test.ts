import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { RichLine, RichText } from "./rich-text.tsx"

/** The elements, with blanks as a browser shows them. */
const shown = (text: string): string =>
  renderToStaticMarkup(createElement(RichText, { text }))
    .replace(/^<div class="rich-text">|<\/div>$/g, "")
    .replace(/ +/g, " ")
    .replace(/(<p[^>]*>) /g, "$1")

describe("a description of a document", () => {
  it.each([
    [
      "A `key` is *sent* **once**.",
      '<p dir="auto">A <code>key</code> is <em>sent</em> <strong>once</strong>.</p>',
    ],
    ["one\ntwo\n\nthree", '<p dir="auto">one two</p><p dir="auto">three</p>'],
    ["## Paging\n", '<p class="rich-heading" dir="auto">Paging</p>'],
    ["- a\n- b", '<ul><li dir="auto"><p dir="auto">a</p></li><li dir="auto"><p dir="auto">b</p></li></ul>'],
    ["```json\n{\n}\n```", "<pre>{\n}</pre>"],
    [
      "|a|b|\n|-|-|\n|1|2|",
      "<table><tbody><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
    ],
    ["> quoted\n> text", '<blockquote><p dir="auto">quoted text</p></blockquote>'],
    [
      "[docs](https://api.example/docs)",
      '<p dir="auto"><a href="https://api.example/docs" target="_blank" rel="noreferrer">docs</a></p>',
    ],
    [
      "See <https://a.example>.",
      '<p dir="auto">See <a href="https://a.example" target="_blank" rel="noreferrer">https://a.example</a>.</p>',
    ],
    [String.raw`2 \* 3 &amp; snake_case_name`, '<p dir="auto">2 * 3 &amp; snake_case_name</p>'],
  ])("shows %j as CommonMark", (text, html) => {
    expect(shown(text)).toBe(html)
  })

  it.each([
    "<script>top.owned=1</script>",
    'a <img src=x onerror="top.owned=1"> b',
    "[x](javascript:top.owned=1)",
    "<javascript:top.owned=1>",
    "![x](https://tracker.example/x.png)",
    '[x](https://a.example/"onclick="top.owned=1)',
    "<!-- <svg onload=top.owned=1> -->",
  ])("never makes %j more than text or a link", (text) => {
    const html = shown(text)
    expect(html).not.toMatch(/<(?!\/?(?:p|a|bdi)\b)/)
    expect(html).not.toMatch(/href="(?!https?:)| on\w+="/)
  })

  it("is text where it nests deeper than a reader follows, and where it is longer than a page", () => {
    expect(shown(`${">".repeat(500)} deep`)).toContain("deep")
    const bold = "**a** ".repeat(20_000)
    expect(shown(bold)).toContain("Show all 120,000 characters")
    expect(shown("\u202etxt")).toContain("[U+202E]txt")
  })
})

describe("the first paragraph of a description", () => {
  const line = (text: string): string => renderToStaticMarkup(createElement(RichLine, { text }))

  it.each([
    ["The `limit` of\n*one* page.\n\nAt most 100.", "The <code>limit</code> of <em>one</em> page."],
    ["# Paging\n\nMore.", "Paging"],
    ["- a\n- b\n\nSee the **docs**.", "See the <strong>docs</strong>."],
    // A row may be a button, which can't contain a link.
    ["See [docs](https://api.example) and <https://a.example>.", "See docs and https://a.example."],
    ["one  \ntwo", "one two"],
    ["- a", "- a"],
    ["<img src=x onerror=alert(1)>`a`", "&lt;img src=x onerror=alert(1)&gt;<code>a</code>"],
  ])("shows %j in one line", (text, html) => {
    expect(line(text).replaceAll(/ +/g, " ").replace("<bdi> ", "<bdi>")).toBe(`<bdi>${html}</bdi>`)
  })
})
