import { describe, expect, it } from "vitest"
import { type GeneratedState, type JsonObject, type JsonValue, stringifyJson } from "@callsheet/format"
import type { GeneratedFile } from "../generated.ts"
import { mergeProject, type MergedProject, type ProjectMerge } from "./merge-project.ts"

const file = "apis/workflow/orders-lifecycle.json"

const request = (id: string, operation = id, body: JsonObject = {}): JsonObject => ({
  id,
  type: "request",
  request: { api: "shop", operation, overrides: { body } },
})

const workflow = (...blocks: readonly JsonObject[]): GeneratedFile => ({
  path: file,
  value: { version: 1, validateContracts: true, blocks },
})

const suite = (...workflows: readonly JsonValue[]) => ({
  generated: { description: "Generated.", workflows },
})

/** A project in memory. */
class Files {
  readonly texts = new Map<string, string>()
  state: GeneratedState | undefined

  generate(files: readonly GeneratedFile[], more: Partial<ProjectMerge> = {}): MergedProject {
    const merged = mergeProject({
      files,
      suites: {},
      helpers: [],
      possible: new Set(files.map(({ path }) => path)),
      state: this.state,
      readFile: (path) => this.texts.get(path),
      existing: [...this.texts.keys()],
      settings: this.texts.get("callsheet.json"),
      digest: (text) => text,
      ...more,
    })
    for (const { file: path, after } of merged.files)
      if (after === undefined) this.texts.delete(path)
      else this.texts.set(path, after)
    if (merged.settings !== undefined) this.texts.set("callsheet.json", merged.settings)
    this.state = merged.state
    return merged
  }

  edit(path: string, change: (text: string) => string): void {
    const before = this.texts.get(path) ?? ""
    const after = change(before)
    expect(after).not.toBe(before)
    this.texts.set(path, after)
  }

  blocks(): readonly JsonValue[] {
    return (JSON.parse(this.texts.get(file) ?? "{}") as { blocks: JsonValue[] }).blocks
  }
}

function generated(...blocks: readonly JsonObject[]): Files {
  const files = new Files()
  files.generate([workflow(...blocks)])
  return files
}

describe("generating again", () => {
  it("changes nothing if nothing changed", () => {
    const files = generated(request("create"), request("read"))
    const before = new Map(files.texts)
    const again = files.generate([workflow(request("create"), request("read"))])
    expect(again.files).toEqual([])
    expect(again.kept).toEqual([])
    expect(files.texts).toEqual(before)
  })

  it("keeps a hand edit, with its layout, while other blocks change", () => {
    const files = generated(request("create"), request("read"))
    files.edit(file, (text) => text.replace('"operation": "read"', '"operation":    "read2"'))
    const merged = files.generate([workflow(request("create", "create", { name: "x" }), request("read"))])
    expect(merged.kept).toEqual([])
    expect(files.texts.get(file)).toContain('"operation":    "read2"')
    expect(files.blocks()[0]).toEqual(request("create", "create", { name: "x" }))
  })

  it("keeps the hand edit of a block that changed on both sides, and says so until it is solved", () => {
    const files = generated(request("create"), request("read"))
    files.edit(file, (text) => text.replace('"operation": "create"', '"operation": "mine"'))
    const next = [workflow(request("create", "create", { name: "x" }), request("read"))]
    const kept = [
      { file, block: "create", reason: "edited by hand, and the document asks for another change" },
    ]
    expect(files.generate(next).kept).toEqual(kept)
    expect(files.generate(next).kept).toEqual(kept)
    expect(files.blocks()[0]).toEqual(request("create", "mine"))
    files.edit(file, (text) => text.replace('"operation": "mine"', '"operation": "create"'))
    expect(files.generate(next).kept).toEqual([])
    expect(files.blocks()[0]).toEqual(request("create", "create", { name: "x" }))
  })

  it("adds a new block after its neighbor, wherever a person moved that", () => {
    const files = generated(request("create"), request("delete"))
    const group = { id: "mine", type: "group", blocks: [request("create")] }
    files.texts.set(
      file,
      stringifyJson({ version: 1, validateContracts: true, blocks: [group, request("delete")] }),
    )
    files.generate([workflow(request("create"), request("read"), request("delete"))])
    expect(files.blocks()).toEqual([
      { ...group, blocks: [request("create"), request("read")] },
      request("delete"),
    ])
  })

  it("removes a block that is no longer generated, and keeps those that a person added or edited", () => {
    const files = generated(request("create"), request("read"), request("list"))
    files.edit(file, (text) => text.replace('"operation": "list"', '"operation": "mine"'))
    files.edit(file, (text) => text.replace('"blocks": [', `"blocks": [${stringifyJson(request("own"))},`))
    const { kept } = files.generate([workflow(request("create"))])
    expect(files.blocks()).toEqual([request("own"), request("create"), request("list", "mine")])
    expect(kept).toMatchObject([{ block: "list" }])
  })

  it("leaves a deleted block and a deleted file deleted", () => {
    const files = generated(request("create"), request("read"))
    files.texts.set(file, stringifyJson({ version: 1, validateContracts: true, blocks: [request("create")] }))
    expect(files.generate([workflow(request("create"), request("read", "read", { a: 1 }))]).kept).toEqual([])
    expect(files.blocks()).toEqual([request("create")])
    files.texts.delete(file)
    const merged = files.generate([workflow(request("create"), request("read"))])
    expect(files.texts.has(file)).toBe(false)
    expect(merged.present.has(file)).toBe(false)
  })

  it("keeps the inputs that a person changed", () => {
    const files = new Files()
    const input = (description: string) => ({ type: "string", required: true, description })
    const withInputs = (inputs: JsonObject): GeneratedFile => ({
      path: file,
      value: { version: 1, inputs, blocks: [] },
    })
    files.generate([withInputs({ id: input("An id."), other: input("Another.") })])
    files.edit(file, (text) => text.replace("An id.", "My id."))
    const { kept } = files.generate([withInputs({ id: input("An id."), other: input("The other one.") })])
    expect(kept).toEqual([])
    const { inputs } = JSON.parse(files.texts.get(file) ?? "") as { inputs: JsonObject }
    expect(inputs).toEqual({ id: input("My id."), other: input("The other one.") })
  })
})

describe("a file that was not generated", () => {
  it.each(['{"version":1,"blocks":[]}', "{ half", ""])("stays as it is: %j", (text) => {
    const files = new Files()
    files.texts.set(file, text)
    const { kept } = files.generate([workflow(request("create"))], { suites: suite("orders-lifecycle") })
    expect(kept).toEqual([{ file, reason: "not generated, and a generated workflow would have its name" }])
    expect(files.texts.get(file)).toBe(text)
    expect(files.texts.get("callsheet.json")).not.toContain("orders-lifecycle")
  })

  it("stays while a person writes it", () => {
    const files = generated(request("create"))
    files.texts.set(file, '{ "version": 1, "blocks": [')
    const { kept } = files.generate([workflow(request("create", "create", { a: 1 }))])
    expect(kept).toEqual([{ file, reason: "it has a syntax error or isn't a workflow" }])
    files.texts.set(file, stringifyJson({ version: 1, validateContracts: true, blocks: [request("create")] }))
    expect(files.generate([workflow(request("create", "create", { a: 1 }))]).kept).toEqual([])
    expect(files.blocks()).toEqual([request("create", "create", { a: 1 })])
  })

  it("is taken over if it is what would be generated, as after the state was lost", () => {
    const files = generated(request("create"))
    files.state = undefined
    expect(files.generate([workflow(request("create"))])).toMatchObject({ kept: [], files: [] })
  })

  it("is found in another case", () => {
    const files = new Files()
    files.texts.set("apis/workflow/Orders-Lifecycle.json", "{}")
    const { kept } = files.generate([workflow(request("create"))])
    expect(kept).toEqual([{ file, reason: "apis/workflow/Orders-Lifecycle.json differs only in case" }])
  })
})

describe("operations that the document lost", () => {
  it("take their untouched files and entries along", () => {
    const files = new Files()
    const script: GeneratedFile = {
      path: "apis/workflow/scripts/orders-lifecycle/contains.ts",
      text: "export {}\n",
    }
    files.generate([workflow(request("create")), script], {
      suites: suite({ workflow: "orders-lifecycle", finally: ["orders-cleanup"] }),
      helpers: ["orders-cleanup"],
    })
    files.generate([], { suites: suite(), possible: new Set() })
    expect([...files.texts.keys()]).toEqual(["callsheet.json"])
    expect(JSON.parse(files.texts.get("callsheet.json") ?? "")).toMatchObject({
      suites: { generated: { workflows: [] } },
    })
  })

  it("leave a file that a person edited", () => {
    const files = generated(request("create"), request("read"))
    files.edit(file, (text) => text.replace('"blocks": [', `"blocks": [${stringifyJson(request("own"))},`))
    const before = files.texts.get(file)
    const { kept } = files.generate([], { possible: new Set() })
    expect(kept).toEqual([{ file, reason: "edited by hand, and the document no longer has its operation" }])
    expect(files.texts.get(file)).toBe(before)
  })

  it("are not those that a call didn't choose", () => {
    const files = generated(request("create"))
    const { state } = files
    files.generate([], { possible: new Set([file]) })
    expect(files.texts.has(file)).toBe(true)
    expect(files.state?.workflows).toEqual(state?.workflows)
  })
})

describe("callsheet.json", () => {
  it("keeps its layout, what people put into the suite, and what they removed", () => {
    const files = new Files()
    files.texts.set("callsheet.json", '{\n\t"version": 1,\n\t"defaults": {"env":   {"shop": "local"}}\n}\n')
    files.generate([], { suites: suite("a", "b"), helpers: ["h"] })
    files.edit("callsheet.json", (text) => text.replace('"b"', '"mine"'))
    files.generate([], { suites: suite("a", "b", "c"), helpers: ["h", "i"] })
    const text = files.texts.get("callsheet.json") ?? ""
    expect(text).toContain('"defaults": {"env":   {"shop": "local"}}')
    expect(JSON.parse(text)).toMatchObject({
      helpers: ["h", "i"],
      suites: { generated: { workflows: ["a", "mine", "c"] } },
    })
  })

  it("keeps the entries of earlier calls for other operations", () => {
    const files = new Files()
    const possible = new Set([file, "apis/workflow/pets-lifecycle.json"])
    files.generate([workflow(request("create"))], { suites: suite("orders-lifecycle"), possible })
    const pets = { ...workflow(request("create")), path: "apis/workflow/pets-lifecycle.json" }
    files.generate([pets], { suites: suite("pets-lifecycle"), possible })
    expect(JSON.parse(files.texts.get("callsheet.json") ?? "")).toMatchObject({
      suites: { generated: { workflows: ["orders-lifecycle", "pets-lifecycle"] } },
    })
  })

  it("keeps a deleted suite deleted", () => {
    const files = new Files()
    files.generate([], { suites: suite("a") })
    files.texts.set("callsheet.json", '{"version":1}')
    files.generate([], { suites: suite("a") })
    expect(files.texts.get("callsheet.json")).toBe('{"version":1}')
  })
})

it("creates environment files only once", () => {
  const files = new Files()
  const local: GeneratedFile = {
    path: "apis/shop/environments/local.json",
    value: { baseUrl: "http://127.0.0.1" },
  }
  files.generate([local])
  files.texts.set(local.path, "{}")
  expect(files.generate([local])).toMatchObject({ files: [], kept: [] })
  files.texts.delete(local.path)
  expect(files.generate([local]).files).toEqual([])
})
