import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import type { StreamFormat } from "./stream-format.ts"
import { StreamReader, streamItems, type StreamItem } from "./stream-reader.ts"
import { streamText } from "./write-stream.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Reads bytes in pieces of a size, and returns the items and whether the end was whole. */
function read(format: StreamFormat, bytes: Uint8Array, size = bytes.length) {
  const items: StreamItem[] = []
  const reader = new StreamReader(format, (item) => items.push(item) > 0)
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  return { isWhole: reader.end(), items }
}

const valuesIn = (format: StreamFormat, text: string): readonly JsonValue[] =>
  streamItems(format, text, ({ value }) => value)

describe("events", () => {
  it.each<[claim: string, text: string, values: readonly JsonValue[]]>([
    ["have decoded data", `data: {"id":7}\n\n`, [{ data: { id: 7 } }]],
    [
      "have scalars",
      `data: 5\n\ndata: "x"\n\ndata: true\n\ndata: null\n\n`,
      [{ data: 5 }, { data: "x" }, { data: true }, { data: null }],
    ],
    ["have text that isn't JSON", `data: [DONE]\n\ndata: tick\n\n`, [{ data: "[DONE]" }, { data: "tick" }]],
    [
      "have a name and an id only if they are sent",
      `event: a\nid: 1\ndata: x\n\ndata: y\n\n`,
      [{ event: "a", id: "1", data: "x" }, { data: "y" }],
    ],
    ["join their lines of data", `data: {\ndata: "a": 1}\n\n`, [{ data: { a: 1 } }]],
    ["end with CRLF", `data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n`, [{ data: "a\nb" }, { data: "c" }]],
    ["end with a single CR", `data: a\rdata: b\r\rdata: c\r\r`, [{ data: "a\nb" }, { data: "c" }]],
    [
      "mix line ends",
      `data: a\r\n\ndata: b\n\r\ndata: c\r\r\n`,
      [{ data: "a" }, { data: "b" }, { data: "c" }],
    ],
    ["follow a byte order mark", `\uFEFFdata: a\n\n`, [{ data: "a" }]],
    [
      "keep a later byte order mark",
      `data: a\n\n\uFEFFdata: b\n\ndata:\uFEFFc\n\n`,
      [{ data: "a" }, { data: "\uFEFFc" }],
    ],
    ["may have comments around them", `: hi\n\n:\ndata: a\n: in\n\n`, [{ data: "a" }]],
    ["ignore retry and other fields", `retry: 10\nretry: x\nfoo: y\ndata: a\nfoo\n\n`, [{ data: "a" }]],
    ["lose one space after the colon", `data:a\ndata:  b\n\n`, [{ data: "a\n b" }]],
    ["may have empty data", `data\n\ndata:\n\n`, [{ data: "" }, { data: "" }]],
    ["need data", `event: a\nid: 1\n\ndata: x\n\n`, [{ data: "x" }]],
    ["ignore an id with NUL and an empty name", `id: a\0b\nevent:\ndata: x\n\n`, [{ data: "x" }]],
    ["don't take a field's name in other letters", `Data: x\n data: y\n\n`, []],
    ["keep the last name", `event: a\nevent: b\ndata: x\n\n`, [{ event: "b", data: "x" }]],
    ["keep all digits", `data: 12345678901234567890\n\n`, [{ data: 12345678901234567890n }]],
  ])("%s", (_, text, values) => {
    expect(valuesIn("events", text)).toEqual(values)
  })

  it("that the stream cuts off don't count", () => {
    expect(read("events", bytesOf("data: a\n\ndata: b\n"))).toMatchObject({
      isWhole: false,
      items: [{ text: "a" }],
    })
    expect(read("events", bytesOf("data: a\n\ndat"))).toMatchObject({
      isWhole: false,
      items: [{ text: "a" }],
    })
    expect(read("events", bytesOf("data: a\n\n: bye")).isWhole).toBe(true)
  })

  it("end at a single CR before more arrives", () => {
    const items: StreamItem[] = []
    const reader = new StreamReader("events", (item) => items.push(item) > 0)
    reader.push(bytesOf("data: a\r\r"))
    expect(items).toHaveLength(1)
    reader.push(bytesOf("\ndata: b\r\r"))
    expect(items.map(({ text }) => text)).toEqual(["a", "b"])
  })
})

describe("lines", () => {
  it.each<[claim: string, text: string, values: readonly JsonValue[]]>([
    ["are values", `{"a":1}\n[2]\n"x"\nnull\n`, [{ a: 1 }, [2], "x", null]],
    ["may end with CRLF, and the last with nothing", `{"a":1}\r\n2`, [{ a: 1 }, 2]],
    ["may be blank", `\n{"a":1}\n \t\n\r\n2\n\n`, [{ a: 1 }, 2]],
    ["may follow a byte order mark", `\uFEFF{"a":1}\n`, [{ a: 1 }]],
    ["are text if they aren't JSON", `{"a":1}\n{"a":\n2\n`, [{ a: 1 }, `{"a":`, 2]],
  ])("%s", (_, text, values) => {
    expect(valuesIn("lines", text)).toEqual(values)
  })

  it("say why they are text", () => {
    expect(read("lines", bytesOf("nope\n1\n")).items.map(({ fault }) => fault)).toEqual([
      "not-json",
      undefined,
    ])
  })
})

describe("a text sequence", () => {
  it.each<[claim: string, text: string, values: readonly JsonValue[]]>([
    ["has texts after separators", `\u001e{"a":1}\n\u001e2\n`, [{ a: 1 }, 2]],
    ["has texts with line ends", `\u001e{\n"a": 1\n}\n\u001e[\n2]\n`, [{ a: 1 }, [2]]],
    ["may repeat separators", `\u001e\u001e\n\u001e{"a":1}\n\u001e`, [{ a: 1 }]],
    ["may lack the last line end", `\u001e{"a":1}\n\u001e2`, [{ a: 1 }, 2]],
    ["has text that isn't JSON", `\u001e{"a":\u001e2\n`, [`{"a":`, 2]],
  ])("%s", (_, text, values) => {
    expect(valuesIn("sequence", text)).toEqual(values)
  })

  it("has a text as soon as its line ends", () => {
    const items: StreamItem[] = []
    const reader = new StreamReader("sequence", (item) => items.push(item) > 0)
    reader.push(bytesOf(`\u001e{"a":1}\n`))
    expect(items).toHaveLength(1)
  })
})

describe("a stream", () => {
  const samples: readonly (readonly [StreamFormat, string])[] = [
    [
      "events",
      `\uFEFF: hé\r\nid: 1\r\ndata: {"n":"é€😀"}\r\n\r\nevent: b\rdata: 2\r\rdata: x\n\ndata: [DONE]\n\ndata: c`,
    ],
    ["lines", `\uFEFF{"n":"é€😀"}\r\n\nnope é\n3`],
    ["sequence", `\u001e{"n":"é€😀"}\n\u001e{\n"a":1}\n\u001enope`],
  ]
  it.each(samples)("has the same items wherever it is split: %s", (format, text) => {
    const bytes = bytesOf(text)
    const whole = read(format, bytes)
    expect(whole.items.length).toBeGreaterThan(1)
    for (let size = 1; size < bytes.length; size++) expect(read(format, bytes, size)).toEqual(whole)
  })

  it("keeps what it can of invalid UTF-8, and says so", () => {
    const events = Uint8Array.from([...bytesOf("data: a"), 0xff, ...bytesOf("b\n\ndata: c\n\n")])
    for (const size of [1, 3, events.length])
      expect(read("events", events, size).items).toMatchObject([
        { value: { data: "a\uFFFDb" }, fault: "not-utf8" },
        { value: { data: "c" }, fault: undefined },
      ])
    const lines = Uint8Array.from([...bytesOf('"a'), 0xc3, ...bytesOf('"\n1\n')])
    expect(read("lines", lines).items).toMatchObject([
      { value: '"a\uFFFD"', fault: "not-utf8" },
      { value: 1 },
    ])
  })

  it("reads 1 MB events, byte by byte, in linear time", () => {
    const data = "é".repeat(512 * 1024)
    const { items } = read("events", bytesOf(`data: ${data}\n\ndata: ${data}\n\n`), 1)
    expect(items.map(({ text }) => text.length)).toEqual([data.length, data.length])
  })

  it("stops at an item, and has read no byte after it", () => {
    const reader = new StreamReader("events", ({ text }) => text !== "b")
    reader.push(bytesOf("data: a\n\ndata: b\n\ndata: c\n\n"))
    reader.push(bytesOf("data: d\n\n"))
    expect(new TextDecoder().decode(reader.bytes)).toBe("data: a\n\ndata: b\n\n")
  })
})

describe("text made of items", () => {
  it.each<[StreamFormat, readonly JsonValue[]]>([
    ["events", [{ event: "a", id: "1", data: { b: [1] } }, { data: "two\nlines" }, { data: "" }]],
    ["lines", [{ a: 1 }, 2, null]],
    ["sequence", [{ a: 1 }, 2, null]],
  ])("has these items: %s", (format, items) => {
    expect(valuesIn(format, streamText(format, items))).toEqual(items)
  })
})
