import { describe, expect, it } from "vitest"
import { createLeakSearch, type LeakFindings } from "./leak-search.ts"
import { createSpool, type Spool } from "./spool.ts"

const namesIn = ({ found }: LeakFindings) => [...found].map(({ name }) => name)

const value = `pä/ss+w0rd "1"\\n&<x`
const bytes = Buffer.from(value)
const found = (text: string, piece = text.length) => {
  const search = createLeakSearch(() => [
    { name: "shop.key", value },
    { name: "shop.other", value: "other-value" },
  ])
  for (let at = 0; at < text.length; at += piece) search.push(text.slice(at, at + piece))
  return namesIn(search.end())
}

const json = JSON.stringify(value).slice(1, -1)
const forms: readonly (readonly [string, string])[] = [
  ["as plain text", value],
  ["inside JSON", json],
  ["inside JSON inside JSON", JSON.stringify(json).slice(1, -1)],
  ["in a URL", encodeURIComponent(value)],
  ["partly in a URL, in lowercase", encodeURI(value).toLowerCase()],
  ["in a form", new URLSearchParams({ "": value }).toString().slice(1)],
  ["in a URL twice", encodeURIComponent(encodeURIComponent(value))],
  ["in XML", value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&#34;")],
  [
    "in HTML by numbers",
    Array.from(value, (character) => `&#x${character.codePointAt(0)!.toString(16)};`).join(""),
  ],
  ...[0, 1, 2].map((before) => [`in base64 after ${before} bytes`, base64(before)] as const),
  ["in UTF-8 read as Latin-1", bytes.toString("latin1")],
  ["in base64url", bytes.toString("base64url")],
  ["in base64 in lines", base64(1).replaceAll(/.{7}/g, "$&\n")],
  ["in base64 of UTF-16", Buffer.from(value, "utf16le").toString("base64")],
  ["in UTF-16 read byte by byte", JSON.stringify(Array.from(value).join("\0"))],
]

function base64(before: number): string {
  return Buffer.concat([Buffer.alloc(before, "x"), bytes, Buffer.from("yz")]).toString("base64")
}

describe("a search for secrets", () => {
  it.each(forms)("finds %s, wherever the text is split into chunks", (_, form) => {
    const text = `before ${form} after`
    expect(found(text)).toEqual(["shop.key"])
    expect(found(text, 1)).toEqual(["shop.key"])
  })

  it("finds one across the boundary of two search windows", () => {
    const length = 1024 * 1024
    for (const before of [length - 5, length - 1, 2 * length - 9])
      expect(found(".".repeat(before) + encodeURIComponent(value) + ".".repeat(length), 64 * 1024)).toEqual([
        "shop.key",
      ])
  })

  it("finds a line of a key, and nothing in masked text", () => {
    const search = createLeakSearch(() => [{ name: "key", value: "-----BEGIN-----\nMIICdgIBADANBgkq\n}\n" }])
    search.push('{"text": "}", "log": "*** MIIC"}')
    expect(namesIn(search.end())).toEqual([])
    search.push("MIICdgIBADANBgkq")
    expect(namesIn(search.end())).toEqual(["key"])
  })

  it("buffers output until the secrets are known", () => {
    let secrets: { name: string; value: string }[] | undefined
    const search = createLeakSearch(() => secrets)
    for (let piece = 0; piece < 40; piece++) search.push(`${piece === 3 ? value : ""}${".".repeat(50_000)}`)
    secrets = [{ name: "late", value }]
    expect(namesIn(search.end())).toEqual(["late"])
  })

  it("searches past output for new secrets, and reports when it can't", () => {
    const search = (spool?: Spool) => {
      const secrets = [{ name: "early", value: "early-value" }]
      const made = createLeakSearch(() => secrets, spool)
      const text = `${".".repeat(900_000)}${value}${".".repeat(2_000_000)}early-value`
      for (let at = 0; at < text.length; at += 65_536) made.push(text.slice(at, at + 65_536))
      secrets.push({ name: "late", value }, { name: "never", value: "never-value" })
      const end = made.end()
      return [namesIn(end), end.isWhole]
    }
    expect(search(createSpool())).toEqual([["early", "late"], true])
    expect(search(createSpool("/nowhere/at/all"))).toEqual([["early"], false])
    expect(search()).toEqual([["early"], false])
  })

  it("searches for thousands of secrets in one pass", () => {
    const secrets = Array.from({ length: 20_000 }, (_, at) => ({
      name: `s${at}`,
      value: `eyJhbGciOiJ9.${at * 7919 + 1e9}`,
    }))
    const search = createLeakSearch(() => secrets)
    search.push(`${"eyJhbGciOiJ9.x ".repeat(40_000)}${btoa(secrets[12_345]!.value)}`)
    expect(namesIn(search.end())).toEqual(["s12345"])
  })
})
