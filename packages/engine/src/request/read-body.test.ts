import { describe, expect, it } from "vitest"
import { readBody } from "./read-body.ts"

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"))
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text))
const read = (bytes: Uint8Array, type: string) => readBody(bytes, { "content-type": type })

describe("the type of a body", () => {
  it.each([
    "application/json",
    "text/json",
    "application/problem+json",
    "application/vnd.shop.v2+json; version=2",
    "Application/HAL+JSON",
    "application/x-amz-json-1.0",
    "application/x-amz-json-1.1",
    "application/json-rpc",
    "text/x-json; charset=utf-8",
  ])("%s is JSON", (type) => {
    expect(read(utf8('{"a":[1]}'), type)).toEqual({ value: { a: [1] }, isWellFormed: true })
    expect(read(utf8("{"), type)).toEqual({ value: "{", isWellFormed: false })
  })

  it.each([
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-seq",
    "application/geo+json-seq",
    "application/jwt",
    "application/at+jwt",
    "application/jose",
    "application/graphql",
    "application/toml",
    "application/sql",
    "application/openmetrics-text; version=1.0.0",
    "application/vnd.apple.mpegurl",
    "application/vnd.oai.openapi;version=3.1",
    "application/soap+xml",
    "application/xml-dtd",
    "application/x-www-form-urlencoded",
    "image/svg+xml",
    "text/event-stream",
    "text/vnd.anything",
  ])("%s is text", (type) => {
    expect(read(utf8('{"a":1}\n{"a":2}\n'), type).value).toBe('{"a":1}\n{"a":2}\n')
  })

  it.each([
    "application/octet-stream",
    "image/png",
    "application/x-protobuf",
    "application/pdf",
    "application/jsonx",
  ])("%s is bytes", (type) => expect(read(utf8("abc"), type).value).toBe("YWJj"))
})

describe("a JSON body that is not text", () => {
  it.each([
    [latin1('{"name":"caf\u00e9"}'), "application/json", "UTF-8: the byte 0xe9 at offset 12"],
    [latin1('"\u00ff"'), "application/problem+json", "UTF-8: the byte 0xff at offset 1"],
    [Uint8Array.of(0x22, 0xe2, 0x82), "application/x-amz-json-1.1", "UTF-8: the byte 0xe2 at offset 1"],
    [
      Uint8Array.of(0x7b, 0, 0x7d),
      "application/json; charset=utf-16le",
      "UTF-16LE: the byte 0x7d at offset 2",
    ],
    [
      Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
      "application/json; charset=utf-8",
      "UTF-8: the byte 0xc0 at offset 1",
    ],
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), "application/json", "UTF-8: the byte 0xed at offset 1"],
    [latin1(`"${"x".repeat(100_000)}\u00e9"`), "application/json", "UTF-8: the byte 0xe9 at offset 100001"],
    [Uint8Array.of(0x22, 0x85, 0x22), "application/json; charset=shift_jis", "SHIFT_JIS: the byte"],
  ])("%# fails with the place of its first invalid byte", (bytes, type, message) => {
    const { fault, value } = read(bytes, type)
    expect(fault?.message).toContain(`but not valid ${message}`)
    expect(fault?.hint).toContain("charset=")
    expect(value).toContain("\ufffd")
  })

  it("is read in the encoding that its content type or its byte order mark names", () => {
    expect(read(latin1('"caf\u00e9"'), "application/json; charset=ISO-8859-1").value).toBe("café")
    expect(read(Uint8Array.from(Buffer.from('\ufeff"é"', "utf16le")), "application/json").value).toBe("é")
    expect(read(utf8('\ufeff{"a":1}'), "application/json; charset=utf-16").value).toEqual({ a: 1 })
    expect(read(utf8('"é"'), "application/json; charset=no-such-encoding").value).toBe("é")
  })
})

describe("the encoding of a text", () => {
  const xml = (encoding: string, rest = "") =>
    `<?xml version="1.0" encoding="${encoding}"?${rest}><a>caf\u00e9</a>`

  it.each([
    ["application/xml", latin1(xml("windows-1252"))],
    [
      "text/xml",
      latin1(xml("ISO-8859-1", ' standalone="yes"').replace(' standalone="yes"?', ' standalone="yes"?')),
    ],
    ["application/soap+xml", latin1(`<?xml version='1.0' encoding='latin1' ?><a>caf\u00e9</a>`)],
    ["image/svg+xml", latin1(`\n<?xml version="1.0"\n encoding = "iso-8859-15"?><a>caf\u00e9</a>`)],
    ["application/xml", utf8(xml("UTF-8"))],
    ["application/xml", utf8(xml("utf-16"))],
    ["application/xml", utf8(`\ufeff${xml("windows-1252")}`)],
    ["application/xml", Uint8Array.from(Buffer.from(xml("utf-16"), "utf16le"))],
    ["application/xml", Uint8Array.from(Buffer.from(xml("utf-16"), "utf16le").swap16())],
    ["application/xml; charset=utf-8", utf8(xml("windows-1252"))],
    ["application/xml; charset=windows-1252", latin1(xml("utf-8"))],
    ["text/html", latin1("<html><meta charset=windows-1252><p>caf\u00e9")],
    [
      "text/html",
      latin1('<META http-equiv="content-type" content="text/html; charset=iso-8859-1"><p>caf\u00e9'),
    ],
    ['text/plain; charset="latin1"', latin1("caf\u00e9")],
    ["text/plain", utf8("<?xml encoding='latin1'?>café")],
    ["", utf8("café")],
  ])("%#: %s", (type, bytes) => {
    expect(read(bytes, type).value).toContain("café")
    expect(read(bytes, type).value).not.toContain("\ufeff")
  })

  it("that is unknown or wrong doesn't lose the rest of the text", () => {
    expect(read(latin1("caf\u00e9!"), "text/plain").value).toBe("caf\ufffd!")
    expect(read(utf8(xml("x-unknown")), "application/xml").value).toContain("café")
  })
})
