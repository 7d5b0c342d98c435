import { describe, expect, it } from "vitest"
import { addSchemas } from "./edit-settings.ts"

const a = { fileMatch: ["/a/*.json"], url: "./a.json" }
const b = { fileMatch: ["/b/*.json"], url: "./b.json" }

describe("addSchemas", () => {
  it.each([undefined, "", " \n", "\ufeff"])("creates a file from %j", (text) => {
    const edited = addSchemas(text, [a])
    expect(JSON.parse(edited?.replace("\ufeff", "") ?? "")).toEqual({ "json.schemas": [a] })
    expect(edited?.endsWith("\n")).toBe(true)
    expect(edited?.startsWith("\ufeff")).toBe(text === "\ufeff")
  })

  it("adds the list after the last setting and keeps every other byte", () => {
    const text = '{\r\n\t"editor.tabSize": 2\r\n}'
    expect(addSchemas(text, [{ url: "./a.json" }])).toBe(
      '{\r\n\t"editor.tabSize": 2,\r\n\t"json.schemas": [\r\n\t\t{\r\n\t\t\t"url": "./a.json"\r\n\t\t}\r\n\t]\r\n}',
    )
  })

  it("keeps comments, trailing commas and what looks like a comment in a string", () => {
    const text = `{
  // the "team" wants this, {
  "a": "https://example.com/*x*/", /* , ] */
  "json.schemas": [
    { "url": "./own.json" }, // ours
  ],
}
`
    expect(addSchemas(text, [{ url: "./a.json" }])).toBe(`{
  // the "team" wants this, {
  "a": "https://example.com/*x*/", /* , ] */
  "json.schemas": [
    { "url": "./own.json" },
    {
      "url": "./a.json"
    }, // ours
  ],
}
`)
    const settings = `{\n  "b": 1, // why\n}\n`
    expect(addSchemas(settings, [{ url: "x" }])).toBe(
      `{\n  "b": 1,\n  "json.schemas": [\n    {\n      "url": "x"\n    }\n  ], // why\n}\n`,
    )
  })

  it("expands empty lists and objects", () => {
    expect(addSchemas("{}", [{ url: "y" }])).toBe(
      '{\n  "json.schemas": [\n    {\n      "url": "y"\n    }\n  ]\n}',
    )
    expect(addSchemas('{\n    "json.schemas": [],\n    "c": 1\n}', [{ url: "y" }, { url: "z" }])).toBe(
      '{\n    "json.schemas": [\n        {\n            "url": "y"\n        },\n        {\n            "url": "z"\n        }\n    ],\n    "c": 1\n}',
    )
  })

  it("keeps a one-line list on its line", () => {
    expect(addSchemas('{"json.schemas":[{"url":"x"}],"c":1}', [{ url: "y" }])).toBe(
      '{"json.schemas":[{"url":"x"}, {"url":"y"}],"c":1}',
    )
    expect(addSchemas('{"c": 1}', [{ url: "y" }])).toBe('{"c": 1, "json.schemas": [{"url":"y"}]}')
  })

  it("adds only what is missing", () => {
    const own = `{ "json.schemas": [{ "fileMatch": ["/mine/*.json"], "url": "./a.json" }] }`
    const once = addSchemas(own, [a, b])
    expect(JSON.parse(once ?? "")).toEqual({
      "json.schemas": [{ fileMatch: ["/mine/*.json"], url: "./a.json" }, b],
    })
    expect(addSchemas(once, [a, b])).toBe(once)
    const made = addSchemas(undefined, [a, b])
    expect(addSchemas(made, [a, b])).toBe(made)
  })

  it.each([
    ["{", "is cut off"],
    ["[]", "is not an object"],
    ['{"json.schemas": {}}', "has something else in the list's place"],
    ['{"json.schemas": [], "json.schemas": []}', "has the key twice"],
    ["{ 'a': 1 }", "has single quotes"],
    ["{ /* open", "has a comment without an end"],
    ["{ // only a comment\n}", "would lose a comment"],
    ['{"json.schemas": [ /* mine */ ]}', "would lose a comment in the list"],
  ])("rejects %j, which %s", (text) => {
    expect(addSchemas(text, [a])).toBeUndefined()
  })

  it("handles a hostile file at once", () => {
    const start = performance.now()
    for (const part of [", ", "/*", '"\\', "// ", "[", '{"a":']) addSchemas(`{${part.repeat(100_000)}`, [a])
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
