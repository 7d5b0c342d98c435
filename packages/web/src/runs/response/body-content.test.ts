import { describe, expect, it } from "vitest"
import { bodyContent } from "./body-content.ts"
import { indentMarkup } from "./indent-markup.ts"

const shown = (body: string, type: string) =>
  bodyContent({ body, headers: { "content-type": type }, mayBeBytes: true })
const base64 = (text: string): string => btoa(text)

describe("how a body is shown", () => {
  it.each([
    ["application/json", "json"],
    ["application/xml; charset=utf-8", "xml"],
    ["image/svg+xml", "xml"],
    ["text/html", "xml"],
    ["text/plain", "text"],
    ["", "text"],
  ])("of type %j is %s", (type, kind) => {
    const body = kind === "json" ? { a: [1] } : "<a/>"
    expect(bodyContent({ body, headers: { "content-type": type }, mayBeBytes: true }).kind).toBe(kind)
  })

  it("is an image only for formats of pixels", () => {
    expect(shown(base64("PNG"), "image/png")).toMatchObject({
      kind: "image",
      text: "data:image/png;base64,UE5H",
    })
    expect(shown(base64("\u0000"), "image/x-icon").kind).toBe("hex")
    // A masked secret isn't Base64.
    expect(shown("***", "image/png")).toMatchObject({ kind: "text", text: "***" })
  })

  it("formats each line of NDJSON, and keeps text with other lines", () => {
    expect(shown('{"a":1}\n[2]\n', "application/x-ndjson")).toMatchObject({
      kind: "text",
      text: '{\n  "a": 1\n}\n[\n  2\n]',
    })
    expect(shown('{"a":1}\nmore', "application/x-ndjson").text).toBe('{"a":1}\nmore')
  })

  it("is hexadecimal for other bytes", () => {
    expect(shown(base64("PK\u0003\u0004 data of a file"), "application/zip").text).toBe(
      [
        "00000000  50 4b 03 04 20 64 61 74 61 20 6f 66 20 61 20 66  PK.. data of a f",
        "00000010  69 6c 65                                         ile",
      ].join("\n"),
    )
  })
})

describe("indented markup", () => {
  it("puts each element on a line, and short text next to its tags", () => {
    expect(
      indentMarkup('<?xml version="1.0"?><a x="1>2"><b>one</b><c/><!-- <b> --><d><e>2</e></d></a>', false),
    ).toBe(
      [
        '<?xml version="1.0"?>',
        '<a x="1>2">',
        "  <b>one</b>",
        "  <c/>",
        "  <!-- <b> -->",
        "  <d>",
        "    <e>2</e>",
        "  </d>",
        "</a>",
      ].join("\n"),
    )
  })

  it("knows elements of HTML without an end tag, and keeps scripts", () => {
    expect(indentMarkup("<p>a<br>b</p><script>if (a < b) {\n  c()\n}</script>", true)).toBe(
      ["<p>", "  a", "  <br>", "  b", "</p>", "<script>if (a < b) {", "  c()", "}</script>"].join("\n"),
    )
  })

  it.each(["<", "<!--", "<a", "<a ", '<a x="', "<pre>", "</a>", "<![CDATA["])(
    "reads each character of a megabyte of %j a few times at most",
    (part) => {
      const start = performance.now()
      indentMarkup(part.repeat(1_000_000 / part.length), true)
      expect(performance.now() - start).toBeLessThan(15_000)
    },
    30_000,
  )
})
