import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { validateProject } from "@callsheet/language"
import { withScripts } from "@callsheet/engine"
import { checkProjectFile, readWholeProject } from "@callsheet/project"
import { makeFolder, putAll, scriptEntry } from "../app-project/open-project.ts"
import { shop } from "../app-project/shop.ts"
import { tell } from "../harness/tell.ts"
import { sized } from "../harness/full-size.ts"
import { checkout, openFiles, refusal, type FileName } from "./open-files.ts"

const examples = fileURLToPath(new URL("../../examples", import.meta.url))

/** Returns the identity of an editable file by its path. */
function nameOf(path: string): FileName | undefined {
  const parts = path.replaceAll("\\", "/").split("/")
  if (path === "callsheet.json") return { kind: "project" }
  const [apis, api = "", folder, name = "", last = ""] = parts
  const base = (file: string) => file.replace(/\.(?:json|ts)$/, "")
  if (apis !== "apis" || !/\.(?:json|ts)$/.test(path) || path.endsWith("openapi.json")) return undefined
  if (api === "workflow" && parts.length === 3) return { kind: "workflow", workflow: base(parts[2] ?? "") }
  if (api === "workflow" && folder === "scripts" && parts.length > 4)
    return { kind: "script", workflow: name, script: base(parts.slice(4).join("/")) }
  if (folder === "requests") return { kind: "request", api, resource: name, request: base(last) }
  if (folder !== "environments") return undefined
  return name === "schema.json"
    ? { kind: "schema", api }
    : { kind: "environment", api, environment: base(name) }
}

/** Every kind of mistake that the text allows. */
const mistakes: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => text.replace('"version": 1', '"version": 2'),
  (text) => text.replace(/"operation": "[^"]*"/, '"operation": "nowhere"'),
  (text) => text.replace(/"instance": "[^"]*"/, '"instance": "nowhere"'),
  (text) => text.replace(/"api": "[^"]*"/, '"api": "nowhere"'),
  (text) => text.replace(/\{\{[^}]*\}\}/, "{{nowhere.at.all}}"),
  (text) => text.replace(/"source": "[^"]*"/, '"source": "nowhere.at.all"'),
  (text) => text.replace(/"exportName": "[^"]*"/, '"exportName": "nowhere"'),
  (text) => text.replace(/"name": "[^"]*"/, '"name": "nowhere"'),
  (text) => text.replace(/"extends": "[^"]*"/, '"extends": "nowhere"'),
  (text) => text.replace(/"workflow": "[^"]*"/, '"workflow": "nowhere"'),
  (text) => text.replace('"local"', '"nowhere"'),
  (text) => text.replace('"*"', '"nowhere*"'),
  (text) => text.replace('"required": true', '"required": "yes"'),
  (text) => text.replace("{", '{\n  "stray": "{{x}}",'),
  (text) => text.replace(/"type": "string"/, '"type": "number"'),
]

const MAX_PER_KIND = sized(2, 4)

describe("the check of a text", () => {
  const projects = readdirSync(examples).filter((name) => readdirSync(join(examples, name)).includes("apis"))

  it.each(projects)(
    "reports what validate reports for a file with it: %s",
    { timeout: 120_000 },
    async (name) => {
      const root = await makeFolder({})
      cpSync(join(examples, name), root, { recursive: true })
      const [first = "", last = ""] = readdirSync(join(root, "apis/workflow"))
        .filter((file) => file.endsWith(".json"))
        .map((file) => file.slice(0, -5))
      await putAll(root, {
        "callsheet.json": {
          version: 1,
          defaults: { env: { shop: "local" } },
          suites: {
            all: {
              before: [{ workflow: first, as: "start" }],
              workflows: ["*"],
              finally: [{ workflow: last, inputs: { id: "{{start.nowhere}}" } }],
            },
          },
        },
      })
      const checked = await openFiles(root)
      const other = await makeFolder({})
      cpSync(root, other, { recursive: true })
      const files = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) => {
        const file = nameOf(path)
        // validate reports errors in a script for the workflow that calls it.
        return file === undefined || file.kind === "script"
          ? []
          : [{ path, file, text: readFileSync(join(root, path), "utf8") }]
      })
      // The sample has more of each kind than the test needs.
      const some = files.filter(
        ({ file }, at) => files.findIndex((other) => other.file.kind === file.kind) + MAX_PER_KIND > at,
      )
      let tries = 0
      await withScripts({ root: other, scriptEntry }, async (describe) => {
        for (const { path, file, text } of some) {
          for (const made of new Set([text, ...mistakes.map((make) => make(text))])) {
            writeFileSync(join(other, path), made)
            const project = readWholeProject(other)
            const all = await validateProject({
              project,
              describe,
              checkFile: (at) => checkProjectFile(other, at),
            })
            const found = all.filter((problem) => problem.file === path)
            expect([path, made, await checked.check(file, made)]).toEqual([path, made, found])
            tries++
          }
          writeFileSync(join(other, path), text)
        }
      })
      expect(files.length).toBeGreaterThan(0)
      tell(`checks of texts of ${name}: ${tries}, all as validate`)
    },
  )
})

describe("the check of a workflow", () => {
  it("uses the current state of other files, and changes nothing", async () => {
    const { check, put, until, problems, bytes } = await openFiles(shop)
    const text = JSON.stringify({
      version: 1,
      blocks: [{ id: "a", type: "request", request: { api: "shop", operation: "later" } }],
    })
    expect(await check(checkout, text)).toMatchObject([{ code: "operation-unknown" }])
    const before = bytes("apis/workflow/checkout.json")
    const changed = until(async () => (await check(checkout, text)).length === 0)
    const document = JSON.parse(JSON.stringify(shop["apis/shop/openapi.json"]).replace("listOrders", "later"))
    await put({ "apis/shop/openapi.json": document })
    await changed
    expect(bytes("apis/workflow/checkout.json")).toEqual(before)
    expect(await problems()).not.toEqual([])
  })

  it("does not repeat problems of a saved request", async () => {
    const { check, put, problems } = await openFiles(shop)
    await put({ "apis/shop/requests/orders/lost.json": { version: 1, operation: "nowhere" } })
    const request = { api: "shop", resource: "orders", instance: "lost" }
    const text = JSON.stringify({ version: 1, blocks: [{ id: "a", type: "request", request }] })
    expect(await check(checkout, text)).toEqual([])
    await put({ "apis/workflow/checkout.json": text })
    expect(await problems()).toMatchObject([{ file: "apis/shop/requests/orders/lost.json" }])
  })

  it("finds existing scripts for a new workflow", async () => {
    const { check, put } = await openFiles(shop)
    await put({ "apis/workflow/scripts/new/sum.ts": "export const sum = () => {}\n" })
    const block = (exportName: string) => ({ id: "a", type: "script", script: { name: "sum", exportName } })
    const text = (exportName: string) => JSON.stringify({ version: 1, blocks: [block(exportName)] })
    const file: FileName = { kind: "workflow", workflow: "new" }
    expect(await check(file, text("sum"))).toEqual([])
    expect(await check(file, text("other"))).toMatchObject([{ code: "script-missing" }])
  })

  it("masks secrets in its messages", async () => {
    const { check } = await openFiles(shop)
    const text = JSON.stringify({
      version: 1,
      blocks: [{ id: "a", type: "request", request: { api: "shop", operation: "s3cr3t-of-live" } }],
    })
    const problems = await check(checkout, text)
    expect(problems).toMatchObject([{ code: "operation-unknown" }])
    expect(JSON.stringify(problems)).not.toContain("s3cr3t")
  })

  it("of 5,000 blocks finishes within a pause in typing", async () => {
    const blocks = Array.from({ length: 1250 }, (_, index) => [
      { id: `r${index}`, type: "request", request: { api: "shop", operation: "listOrders" } },
      {
        id: `a${index}`,
        type: "assert",
        assertions: [{ source: `r${index}.response.status`, operator: "equals", value: 200 }],
      },
      { id: `t${index}`, type: "transform", transforms: { first: `r${index}.response.body.0.id` } },
      { id: `g${index}`, type: "group", blocks: [], description: `{{t${index}.first}}` },
    ]).flat()
    const text = JSON.stringify({ version: 1, blocks }, null, 2)
    const { check } = await openFiles(shop)
    await check(checkout, text)
    const tookMs: number[] = []
    for (let time = 0; time < 5; time++) {
      const start = performance.now()
      await check(checkout, text.replace("listOrders", `listOrders${time}`))
      tookMs.push(Math.round(performance.now() - start))
    }
    tell(
      `check of a workflow of 5,000 blocks: ${Math.min(...tookMs)} ms at best, ${Math.max(...tookMs)} ms at most`,
    )
    expect(Math.min(...tookMs)).toBeLessThan(2000)
  })
})

describe("the check of a script", () => {
  const script: FileName = { kind: "script", workflow: "checkout", script: "sum" }

  it("reports where it is not valid TypeScript, and runs none of it", async () => {
    const { check, root } = await openFiles(shop)
    const side = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(`${root}/ran`)}, "")\n`
    expect(await check(script, `${side}export const = 1\n`)).toMatchObject([
      { code: "script-syntax", file: "apis/workflow/scripts/checkout/sum.ts", line: 3 },
    ])
    expect(await check(script, `${side}export const a: number = 1\n`)).toEqual([])
    expect(readdirSync(root)).toEqual(["apis"])
  })

  it("needs a temporary directory, reports a missing one, and continues when there is one again", async () => {
    const temporary = await makeFolder({})
    onTestFinished(() => void vi.unstubAllEnvs())
    const { check, save } = await openFiles(shop)
    vi.stubEnv("TMPDIR", join(temporary, "nowhere"))
    expect(await refusal(check(script, "export {}\n"))).toMatchObject({ code: "write-failed" })
    expect(await refusal(save(script, null, "export {}\n"))).toMatchObject({ code: "write-failed" })
    vi.stubEnv("TMPDIR", temporary)
    expect(await check(script, "export {}\n")).toEqual([])
    for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true })
    expect(await check(script, "export const\n")).toMatchObject([{ code: "script-syntax" }])
  })

  it("reports a missing script process, and not an error in the script", async () => {
    const { check, save, root } = await openFiles(shop, { scriptEntry: new URL("file:///nowhere/child.js") })
    for (const call of [() => check(script, "export {}\n"), () => save(script, null, "export {}\n")])
      expect(await refusal(call())).toMatchObject({ code: "write-failed" })
    expect(readdirSync(join(root, "apis/workflow"))).toEqual(["checkout.json"])
  })

  it("handles many at once, and leaves nothing behind", async () => {
    const temporary = await makeFolder({})
    vi.stubEnv("TMPDIR", temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { check, closeFiles } = await openFiles(shop)
    const texts = Array.from(
      { length: 20 },
      (_, index) => `export const a${index} = ${index % 2 ? "" : "1"}\n`,
    )
    const found = await Promise.all(texts.map((text) => check(script, text)))
    expect(found.map((problems) => problems.length)).toEqual(texts.map((_, index) => index % 2))
    const [left = ""] = readdirSync(temporary).filter((name) => name.startsWith("callsheet-script-"))
    expect(readdirSync(join(temporary, left, "apis/workflow/scripts"))).toEqual([])
    await closeFiles()
    expect(readdirSync(temporary).filter((name) => name.startsWith("callsheet-script-"))).toEqual([])
  })
})

describe("the scripts of a workflow", () => {
  it("are listed with their exports and importers", async () => {
    const { put, calls } = await openFiles(shop)
    await put({
      "apis/workflow/scripts/checkout/sum.ts": "export const one = 1\nexport default function two() {}\n",
      "apis/workflow/scripts/checkout/checks/total.ts": `import "../sum"\nexport async function total() {}\n`,
      "apis/workflow/scripts/checkout/broken.ts": "export const = 1\n",
      "apis/workflow/scripts/other/more.ts": "export const a = 1\n",
    })
    const { scripts } = await calls["files.list"]({ workflow: "checkout" })
    expect(scripts).toEqual([
      { script: "broken", exports: [], importedBy: [] },
      { script: "checks/total", exports: ["total"], importedBy: [] },
      {
        script: "sum",
        exports: ["one", "default"],
        importedBy: [{ workflow: "checkout", script: "checks/total" }],
      },
    ])
    expect(await calls["files.list"]({ workflow: "nowhere" })).toEqual({ scripts: [], isReadOnly: false })
  })
})
