import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { outlineJson } from "@callsheet/format"
import { createOutlineStore } from "./outline-store.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-outlines-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const documents = () => join(folder, "new", "documents")
const entries = () => readdirSync(documents()).map((name) => join(documents(), name))
const keyOf = (text: string, dialect: "json" | "yaml" = "json") => ({
  bytes: new TextEncoder().encode(text),
  dialect,
})
const watched = [{ key: "$ref", starts: '"' }]
const outlineOf = (text: string) => outlineJson(new TextEncoder().encode(text), { depth: 4, watched })!

const text = `{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}, "x": {"$ref": "b.json", "$id": "urn:a"}, "y": {"$dynamicAnchor": "a", "writeOnly": true}}`

describe("the store of outlines", () => {
  it("gives another process what one has stored", () => {
    createOutlineStore({ folder: documents() }).write(keyOf(text), { outline: outlineOf(text) })
    expect(createOutlineStore({ folder: documents() }).read(keyOf(text))).toEqual({
      outline: outlineOf(text),
    })
  })

  it("stores the JSON of a YAML document with its outline", () => {
    const json = new TextEncoder().encode(text)
    createOutlineStore({ folder: documents() }).write(keyOf("yaml", "yaml"), {
      outline: outlineOf(text),
      json,
    })
    const kept = createOutlineStore({ folder: documents() }).read(keyOf("yaml", "yaml"))
    expect(new TextDecoder().decode(kept?.json)).toBe(text)
    expect(kept?.outline).toEqual(outlineOf(text))
  })

  it("finds nothing for other bytes, or for the same bytes read differently", () => {
    const store = createOutlineStore({ folder: documents() })
    store.write(keyOf(text), { outline: outlineOf(text) })
    expect(store.read(keyOf(`${text} `))).toBeUndefined()
    expect(store.read(keyOf(text, "yaml"))).toBeUndefined()
  })

  it("is readable by its user only", () => {
    createOutlineStore({ folder: documents() }).write(keyOf(text), { outline: outlineOf(text) })
    expect(statSync(documents()).mode & 0o777).toBe(0o700)
    expect(entries().map((file) => statSync(file).mode & 0o777)).toEqual([0o600])
  })

  it("ignores an entry that is damaged anywhere, and repairs it", () => {
    const store = createOutlineStore({ folder: documents() })
    store.write(keyOf(text), { outline: outlineOf(text) })
    const [file] = entries()
    const whole = readFileSync(file!)
    const damaged = [
      ...Array.from(whole, (_, at) => whole.map((byte, index) => (index === at ? byte ^ 1 : byte))),
      ...Array.from({ length: 50 }, (_, cut) => whole.subarray(0, Math.floor((whole.length * cut) / 50))),
    ]
    for (const bytes of damaged) {
      writeFileSync(file!, bytes)
      expect(createOutlineStore({ folder: documents() }).read(keyOf(text))).toBeUndefined()
    }
    store.write(keyOf(text), { outline: outlineOf(text) })
    expect(store.read(keyOf(text))).toEqual({ outline: outlineOf(text) })
  })

  it("works without its directory if that was deleted, is a file, or can't be created", () => {
    const store = createOutlineStore({ folder: documents() })
    store.write(keyOf(text), { outline: outlineOf(text) })
    rmSync(documents(), { recursive: true })
    expect(store.read(keyOf(text))).toBeUndefined()
    writeFileSync(documents(), "")
    const below = createOutlineStore({ folder: join(documents(), "below") })
    for (const hindered of [store, below]) {
      hindered.write(keyOf(text), { outline: outlineOf(text) })
      expect(hindered.read(keyOf(text))).toBeUndefined()
    }
  })

  it("drops only the oldest entries if there are too many", () => {
    const store = createOutlineStore({ folder: documents(), maxEntries: 3 })
    for (let number = 0; number < 5; number++) {
      const entry = `{"paths": {"/${number}": {}}}`
      const before = number === 0 ? [] : entries()
      store.write(keyOf(entry), { outline: outlineOf(entry) })
      // File times are coarse, so make each entry a minute older than the next one.
      for (const file of before.filter((one) => entries().includes(one))) {
        const { mtimeMs } = statSync(file)
        utimesSync(file, mtimeMs / 1000 - 60, mtimeMs / 1000 - 60)
      }
    }
    const isKept = [0, 1, 2, 3, 4].map(
      (number) => store.read(keyOf(`{"paths": {"/${number}": {}}}`)) !== undefined,
    )
    expect(isKept).toEqual([false, false, true, true, true])
    expect(entries()).toHaveLength(3)
  })

  it("drops entries over the total size, except the newest", () => {
    const store = createOutlineStore({ folder: documents(), maxBytes: 200 })
    store.write(keyOf(text), { outline: outlineOf(text) })
    for (const file of entries()) utimesSync(file, 1, 1)
    store.write(keyOf(`${text} `), { outline: outlineOf(text) })
    expect(store.read(keyOf(text))).toBeUndefined()
    expect(store.read(keyOf(`${text} `))).toEqual({ outline: outlineOf(text) })
  })
})
