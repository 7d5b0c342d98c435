import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { readInput } from "../door/read-input.ts"
import { ChangeSets } from "../change-sets/change-sets.ts"
import { createImportHandlers } from "./create-import-handlers.ts"
import { workOutImport } from "./work-out-import.ts"

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

function handlersFor(isRemote = false) {
  const root = mkdtempSync(join(tmpdir(), "callsheet-imports-"))
  roots.push(root)
  const changeSets = new ChangeSets({ noteChange: () => undefined })
  const options = {
    root,
    changeSets,
    noteChange: () => undefined,
    isRemote: () => isRemote,
    processEnvironment: {},
  }
  const handlers = createImportHandlers({
    ...options,
    previewImport: workOutImport,
    readTemplate: () => new Map([["a/b.json", "{}\n"]]),
  })
  return { root, handlers, apply: changeSets.handlers["plans.apply"] }
}

const curl = { sources: [{ name: "commands.sh", text: "curl https://api.example.com/orders" }] }

describe("an import in the app", () => {
  it("is refused, as the sample is, while other machines can reach the app", async () => {
    const { root, handlers } = handlersFor(true)
    await expect(handlers["imports.plan"](curl)).rejects.toMatchObject({ code: "remote-refused" })
    await expect(handlers["imports.sample"]({})).rejects.toMatchObject({ code: "remote-refused" })
    expect(readdirSync(root)).toEqual([])
  })

  it("writes nothing before it is applied, and nothing at all if a file is in its way by then", async () => {
    const { root, handlers, apply } = handlersFor()
    const { plan, files } = await handlers["imports.plan"](curl)
    expect(readdirSync(root)).toEqual([])
    const [first = ""] = files
    await mkdir(join(root, first, ".."), { recursive: true })
    writeFileSync(join(root, first), "mine")
    await expect(apply({ plan })).rejects.toMatchObject({ code: "file-changed" })
    expect(files.filter((file) => existsSync(join(root, file)))).toEqual([first])
    rmSync(join(root, first))
    await apply({ plan })
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it("replaces files with other content in one change, only those that the preview named", async () => {
    const { root, handlers, apply } = handlersFor()
    const first = await handlers["imports.plan"](curl)
    await apply(first)
    const [file = ""] = first.files.filter((path) => path.includes("/requests/"))
    const imported = readFileSync(join(root, file), "utf8")
    writeFileSync(join(root, file), "mine")
    const { plan, replaced, files } = await handlers["imports.plan"](curl)
    expect([replaced, files]).toEqual([[file], [file]])
    writeFileSync(join(root, file), "mine, and newer")
    await expect(apply({ plan })).rejects.toMatchObject({ code: "file-changed" })
    expect(readFileSync(join(root, file), "utf8")).toBe("mine, and newer")
    await apply(await handlers["imports.plan"](curl))
    expect(readFileSync(join(root, file), "utf8")).toBe(imported)
  })

  it.each([
    { sources: [{ name: "../shop.json", text: "" }] },
    { sources: [{ name: "a\\b.json", text: "" }] },
    { sources: [], directory: { name: "depot", files: [{ path: "../../a.bru", text: "" }] } },
    { sources: [], directory: { name: "depot", files: [{ path: "/a.bru", text: "" }] } },
    { sources: [], api: "../shop" },
  ])("accepts no path that leads elsewhere: %j", (input) => {
    expect(() => readInput("imports.plan", input)).toThrow(/is not allowed|no API can have this name/)
  })
})
