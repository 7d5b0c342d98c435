import { describe, expect, it } from "vitest"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import { parseJson, type JsonValue } from "@callsheet/format"
import { renameBlock, validateProject } from "@callsheet/language"
import { readWholeProject } from "@callsheet/project"
import { openEditor, writeProject } from "../../testing/open-editor.ts"
import { shopFiles, withCaret, type ShopFile } from "../../testing/named-files.ts"

const CHECKOUT = "apis/workflow/checkout.json"
const SCRIPT = "apis/workflow/scripts/checkout/sums.ts"
const SAVED = "apis/shop/requests/cart/add.json"
const SCHEMA = "apis/shop/environments/schema.json"
const SECRETS = "apis/shop/environments/local.secrets.env"

const able: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] } },
}

async function renameIn(files: Readonly<Record<string, string>>, newName: string) {
  const editor = openEditor(files, able)
  const edit = await editor.askAtCaret("textDocument/rename", { newName })
  return { editor, edit, texts: editor.edited(edit), said: JSON.stringify(editor.notified) }
}

const rename = (file: ShopFile, before: string, newName: string) => renameIn(withCaret(file, before), newName)

const changedIn = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts]
    .flatMap(([file, text]) => {
      const before = Object.entries(shopFiles).find(([name]) => name === file)?.[1]
      return before === text ? [] : [file]
    })
    .toSorted()

describe("rename of a block", () => {
  it("changes everything that reads it, and nothing else", async () => {
    const { texts, said } = await rename(CHECKOUT, 'login",\n      "type"', "sign-in")
    expect(changedIn(texts)).toEqual([SAVED, CHECKOUT, SCRIPT, "callsheet.json"])
    const workflow = texts.get(CHECKOUT)
    expect(workflow).toContain('"id": "sign-in"')
    expect(workflow).toContain("{{sign-in.response.body.names.{{sku}}}}")
    expect(workflow).toContain('"operation": "login"')
    expect(texts.get(SCRIPT)).toBe(shopFiles[SCRIPT].replaceAll('"login.response', '"sign-in.response'))
    expect(texts.get(SAVED)).toContain("{{sign-in.response.body.token}}")
    expect(texts.get("callsheet.json")).toContain("{{first.sign-in.response.body.token}}")
    expect(texts.get("callsheet.json")).toContain("{{sign-in.response.body.token}}")
    const unsure = [`${SCRIPT}:6:28`, `${SCRIPT}:7:14`].map(
      (place) => `${place}: this may mean \\"login\\", but is not changed`,
    )
    expect(said).toContain(unsure.join("\\n"))
  })

  it("gives the same text of the workflow as the app", async () => {
    const { texts } = await rename(CHECKOUT, 'login",\n      "type"', "sign-in")
    const text = shopFiles[CHECKOUT]
    const parsed = parseJson(text)
    const value: JsonValue = parsed.ok ? parsed.value : null
    expect(texts.get(CHECKOUT)).toBe(renameBlock({ text, value }, ["blocks", 0], "sign-in").text)
  })

  it("renames ids of iterations with the block", async () => {
    const { texts } = await rename(CHECKOUT, "add-{{", "put-{{item.sku}}")
    expect(texts.get(CHECKOUT)).toContain(String.raw`[\"put-a1\"].response.status`)
  })
})

describe("rename of other things", () => {
  it("changes an input with its rows, entries, scripts and saved requests", async () => {
    const { texts, said } = await rename(CHECKOUT, 'sku": {', "article")
    expect(changedIn(texts)).toEqual([SAVED, CHECKOUT, SCRIPT, "callsheet.json", "rows/orders.csv"])
    expect(texts.get("rows/orders.csv")).toBe("article,amount\na1,1\na2,2\n")
    expect(texts.get(SCRIPT)).toContain("ctx.inputs.article")
    expect(texts.get("callsheet.json")).toContain('"article": "a1"')
    expect(texts.get(SAVED)).toContain("{{article}}")
    expect(texts.get(CHECKOUT)).toContain("{{item.sku}}")
    expect(said).toBe("[]")
  })

  it("writes a member in brackets if it isn't an identifier", async () => {
    const { texts } = await rename(CHECKOUT, 'sku": {', "the-sku")
    expect(texts.get(SCRIPT)).toContain('ctx.inputs["the-sku"]')
  })

  it("changes an iterator only in its loop", async () => {
    const { texts } = await rename(CHECKOUT, 'item",', "article")
    expect(changedIn(texts)).toEqual([CHECKOUT])
    expect(texts.get(CHECKOUT)).toContain('"id": "add-{{article.sku}}"')
    expect(texts.get(CHECKOUT)).toContain('"sku": "{{article.sku}}"')
  })

  it("changes a variable in all files, and only its name in the secrets file", async () => {
    const { editor, edit, texts } = await rename(SCHEMA, "apiKey", "shopKey")
    expect(changedIn(texts)).toEqual(
      [SECRETS, SCHEMA, "apis/shop/environments/test.json", SAVED, CHECKOUT, SCRIPT].toSorted(),
    )
    expect(texts.get(SECRETS)).toBe("# ours\nexport shopKey='hunter2-canary' # note\n")
    expect(texts.get(SCRIPT)).toContain('ctx.env("shop").shopKey')
    expect(JSON.stringify([edit, editor.notified])).not.toContain("hunter2")
    expect(JSON.stringify([edit, editor.notified])).not.toContain("in-the-wrong-file")
  })

  it("renames a saved request with its file", async () => {
    const { texts } = await rename(CHECKOUT, 'add",', "put")
    expect(texts.get(CHECKOUT)).toContain('"instance": "put"')
    expect(texts.has(SAVED)).toBe(false)
    expect(texts.get("apis/shop/requests/cart/put.json")).toBe(shopFiles[SAVED])
  })

  it("renames a script with its file", async () => {
    const { texts } = await rename(CHECKOUT, "sums", "totals")
    expect(texts.get(CHECKOUT)).toContain('"name": "totals"')
    expect(texts.get("apis/workflow/scripts/checkout/totals.ts")).toBe(shopFiles[SCRIPT])
  })

  it("renames a workflow with its file, scripts and entries", async () => {
    const { texts } = await rename("callsheet.json", "checkout", "buy")
    expect(texts.get("apis/workflow/buy.json")).toBe(shopFiles[CHECKOUT])
    expect(texts.get("apis/workflow/scripts/buy/sums.ts")).toBe(shopFiles[SCRIPT])
    expect(texts.get("callsheet.json")).not.toContain('"checkout"')
  })

  it("renames an environment with both files, its children and settings", async () => {
    const { texts } = await rename("callsheet.json", 'local"', "dev")
    expect(texts.get("apis/shop/environments/dev.secrets.env")).toBe(shopFiles[SECRETS])
    expect(texts.get("apis/shop/environments/test.json")).toContain('"extends": "dev"')
    expect(texts.get("callsheet.json")).toContain('"shop": "dev"')
  })

  it("renames a suite", async () => {
    const { texts } = await rename("callsheet.json", "nightly", "daily")
    expect(texts.get("callsheet.json")).toBe(shopFiles["callsheet.json"].replace("nightly", "daily"))
  })

  it("names a block from a saved request that only one workflow sends", async () => {
    const { texts } = await rename(SAVED, "login.", "sign-in")
    expect(texts.get(CHECKOUT)).toContain('"id": "sign-in"')
  })
})

describe("refusals", () => {
  it.each<readonly [string, ShopFile, string, string, string]>([
    ["a taken name", CHECKOUT, 'login",\n      "type"', "check", "already named"],
    ["a name of an iterator", CHECKOUT, 'login",\n      "type"', "item", "already named"],
    ["an illegal name", CHECKOUT, 'login",\n      "type"', "a.b", "a.b"],
    ["a conventional variable", SCHEMA, "baseUrl", "url", "the base URL"],
    ["a new conventional name", SCHEMA, "apiKey", "timeout", "the time limit"],
    ["a reserved variable", SCHEMA, "apiKey", "extends", "extends"],
    ["a declared variable", SCHEMA, "apiKey", "baseUrl", "the base URL"],
    ["an existing workflow", "callsheet.json", "checkout", "clean", "exists"],
    ["a device", "callsheet.json", "checkout", "con", "not a valid name"],
    ["an existing environment", "callsheet.json", 'local"', "test", "exists"],
    ["an operation", CHECKOUT, 'login",\n        "overrides"', "x", "OpenAPI document"],
    ["an API", CHECKOUT, 'shop"', "x", "directory"],
  ])("name the reason: %s", async (_, file, before, newName, reason) => {
    await expect(rename(file, before, newName)).rejects.toThrow(reason)
  })

  it("say that the editor can't rename files", async () => {
    const editor = openEditor(withCaret(CHECKOUT, "sums"))
    await expect(editor.askAtCaret("textDocument/rename", { newName: "x" })).rejects.toThrow("rename files")
  })

  it("of a broken file name it", async () => {
    const files = withCaret(CHECKOUT, 'login",\n      "type"')
    const broken = { ...files, [CHECKOUT]: files[CHECKOUT].slice(0, -10) }
    await expect(renameIn(broken, "x")).rejects.toThrow(CHECKOUT)
  })
})

describe("prepareRename", () => {
  it("answers the range and the name", async () => {
    const editor = openEditor(withCaret(CHECKOUT, "login.response.status"))
    expect(await editor.askAtCaret("textDocument/prepareRename")).toMatchObject({ placeholder: "login" })
  })

  it("answers null where nothing has a name", async () => {
    const editor = openEditor(withCaret(CHECKOUT, "version"))
    expect(await editor.askAtCaret("textDocument/prepareRename")).toBeNull()
  })
})

describe("places that a rename can't change", () => {
  it("are listed, such as a saved request that another workflow sends", async () => {
    const other = "apis/workflow/other.json"
    const files = { ...withCaret(CHECKOUT, 'login",\n      "type"'), [other]: shopFiles[CHECKOUT] }
    const { texts, said } = await renameIn(files, "sign-in")
    expect(said).toContain(`Check these places:\\n${SAVED}:6:`)
    expect(texts.get(SAVED)).toBe(shopFiles[SAVED])
    expect(texts.get(other)).toBe(shopFiles[CHECKOUT])
  })
})

describe("entries whose workflow is a pattern", () => {
  const suites = {
    all: {
      before: ["check*"],
      workflows: [{ workflow: "che*", inputs: { sku: "{{checkout.login.response.status}}" } }],
    },
  }
  const settings = JSON.stringify({ version: 1, suites })

  it("are listed if they set a renamed input", async () => {
    const { texts, said } = await renameIn(
      { ...withCaret(CHECKOUT, 'sku": {'), "callsheet.json": settings },
      "article",
    )
    expect(said).toContain("callsheet.json:1:")
    expect(texts.get("callsheet.json")).toBe(settings)
  })

  it("follow a renamed block", async () => {
    const files = { ...withCaret(CHECKOUT, 'login",\n      "type"'), "callsheet.json": settings }
    const { texts } = await renameIn(files, "sign-in")
    expect(texts.get("callsheet.json")).toContain("{{checkout.sign-in.response.status}}")
  })
})

/** Returns what `validate` reports, without names and places. */
async function codesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const problems = await validateProject({
    project: readWholeProject(writeProject(files)),
    describe: () =>
      Promise.resolve({
        ok: true,
        exports: ["total"],
        complete: true,
        values: {},
        imports: [],
        lazyImports: [],
        io: [],
      }),
  })
  return problems.map(({ code }) => code).toSorted()
}

const renames: readonly (readonly [string, ShopFile, string, string])[] = [
  ["block", CHECKOUT, 'login",\n      "type"', "zz-block"],
  ["input", CHECKOUT, 'sku": {', "zzInput"],
  ["iterator", CHECKOUT, 'item",', "zzItem"],
  ["variable", SCHEMA, "apiKey", "zzKey"],
  ["saved request", CHECKOUT, 'add",', "zz-request"],
  ["script", CHECKOUT, "sums", "zz-script"],
  ["workflow", "callsheet.json", "checkout", "zz-workflow"],
  ["environment", "callsheet.json", 'local"', "zz-environment"],
  ["suite", "callsheet.json", "nightly", "zz-suite"],
]

it("of a variable is refused if a file changes before the answer", async () => {
  const editor = openEditor(withCaret(SCHEMA, 'apiKey"'), able)
  // Reads the document, to know its security schemes.
  const answer = editor.askAtCaret("textDocument/rename", { newName: "key" })
  const script = shopFiles[SCRIPT].replace("return {}", 'return ctx.env("shop").apiKey')
  editor.service.change({ uri: editor.uriOf(SCRIPT), text: script, version: 2 })
  await expect(answer).rejects.toMatchObject({ name: "ContentModified" })
})

describe("a rename there and back", () => {
  it.each(renames)("of a %s gives the same bytes", async (_, file, before, newName) => {
    const start = withCaret(file, before)
    const old = shopFiles[file].slice(start[file].indexOf("‸")).match(/^[\w-]+/)?.[0] ?? ""
    const { texts } = await renameIn(start, newName)
    expect(texts).not.toEqual(new Map(Object.entries(shopFiles)))
    const at = texts.get(file)?.indexOf(newName) ?? -1
    const there = Object.fromEntries(texts)
    const marked = { ...there, [file]: `${there[file]?.slice(0, at)}‸${there[file]?.slice(at)}` }
    const back = await renameIn(marked, old)
    expect(Object.fromEntries(back.texts)).toEqual(shopFiles)
  })
})

describe("after a rename", () => {
  it.each(renames)("of a %s, validate finds no new problem", async (_, file, before, newName) => {
    const { texts } = await renameIn(withCaret(file, before), newName)
    expect(await codesOf(Object.fromEntries(texts))).toEqual(await codesOf(shopFiles))
  })
})
