import { execFile } from "node:child_process"
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterEach, describe, expect, it } from "vitest"
import { callsheet, createFolder, readText, type Files } from "../harness/callsheet.ts"

const schema = (properties: object) => ({
  openapi: "3.1.0",
  info: { title: "A", version: "1" },
  paths: {
    "/item": {
      get: {
        operationId: "getItem",
        responses: {
          200: {
            description: "",
            content: {
              "application/json": {
                schema: { type: "object", required: Object.keys(properties), properties },
              },
            },
          },
        },
      },
    },
  },
})

const blocks = [
  {
    id: "if",
    type: "condition",
    script: { name: "checks", exportName: "go" },
    then: [{ id: "get", type: "request", request: { api: "shop", operation: "getItem" } }],
  },
  { id: "check", type: "assert", script: { name: "checks", exportName: "check" } },
]
const project: Files = {
  "apis/shop/openapi.json": schema({ id: { type: "string" } }),
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
  "apis/workflow/pay.json": { version: 1, blocks },
  "apis/workflow/scripts/pay/checks.ts": [
    `import type { AssertContext, ConditionContext } from "@callsheet/sdk"`,
    `export const go = (ctx: ConditionContext) => ctx.env("shop").baseUrl === ""`,
    `export const check = (ctx: AssertContext) => ctx.assert(ctx.get("get.response.body.id") === undefined)`,
    "",
  ].join("\n"),
  "apis/workflow/plain.json": { version: 1, blocks: [] },
}
const types = "apis/workflow/scripts/pay/node_modules/@callsheet/sdk"
const shared = "apis/workflow/scripts/node_modules/@callsheet/sdk"

const folders: string[] = []
async function folderOf(files: Files = project): Promise<string> {
  const folder = await createFolder(files)
  folders.push(folder)
  // Recently written files count as ones that may still change.
  for (const path of await readdir(folder, { recursive: true })) await utimes(join(folder, path), 1e9, 1e9)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const writeAs = async (folder: string, path: string, content: unknown): Promise<void> => {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
  await utimes(file, 1.1e9, 1.1e9)
}

describe("callsheet types", () => {
  it("writes what the scripts of each workflow read, and nothing the second time", async () => {
    const folder = await folderOf()
    const first = await callsheet(["types"], { folder })
    expect(first).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "script types for 1 workflow: wrote 3 files\n",
    })
    expect(await readText(folder, `${types}/index.d.ts`)).toContain("  get?: GetResult\n")
    expect(await readText(folder, `${shared}/index.d.ts`)).toContain("export interface AssertContext<")
    const before = await stat(join(folder, types, "index.d.ts"))
    const second = await callsheet(["types", "pay"], { folder })
    expect(second).toMatchObject({
      exitCode: 0,
      stderr: "script types for 1 workflow: up to date\n",
    })
    expect(await stat(join(folder, types, "index.d.ts"))).toEqual(before)
  })

  it("writes nothing that git would report", async () => {
    const folder = await folderOf()
    const git = (...words: string[]) =>
      promisify(execFile)("git", words, { cwd: folder, env: { PATH: process.env["PATH"], HOME: folder } })
    await git("init", "-q")
    const { stdout: before } = await git("status", "--short", "--untracked-files=all")
    await callsheet(["types"], { folder })
    const { stdout: after } = await git("status", "--short", "--untracked-files=all")
    expect(after).toBe(before)
    expect(after).toContain("checks.ts")
  })

  it.each([
    ["an installed package", `${types}/package.json`, { name: "@callsheet/sdk" }],
    ["a directory without a manifest", `${types}/mine.txt`, "mine"],
    ["a package for all scripts", `${shared}/package.json`, { name: "@callsheet/sdk" }],
    ["a file", dirname(types), "mine"],
  ])("keeps %s and writes nothing", async (_, path, content) => {
    const folder = await folderOf({ ...project, [path]: content })
    const { exitCode, stderr } = await callsheet(["types"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/callsheet did not create .* \(types-in-the-way\)/)
    expect((await readdir(folder, { recursive: true })).filter((one) => one.endsWith(".d.ts"))).toEqual([])
    expect(await readText(folder, path)).toBe(
      typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`,
    )
  })

  it("follows no link", async () => {
    const folder = await folderOf({ ...project, "mine/keep.txt": "mine" })
    await symlink(join(folder, "mine"), join(folder, "apis/workflow/scripts/pay/node_modules"))
    expect((await callsheet(["types"], { folder })).stderr).toContain("(types-in-the-way)")
    expect(await readdir(join(folder, "mine"))).toEqual(["keep.txt"])
  })

  it("reports which workflow has no scripts and which cannot be read", async () => {
    const without = await callsheet(["types", "plain"], { files: project })
    expect(without.exitCode).toBe(2)
    expect(without.stderr).toContain(`the workflow "plain" has no scripts (usage)`)
    const broken = await callsheet(["types"], { files: { ...project, "apis/workflow/pay.json": "{" } })
    expect(broken.exitCode).toBe(1)
    expect(broken.stderr).toContain("pay can't be read; run callsheet validate pay to see why")
  })

  it("doesn't change how scripts run, even those that import the package as a value", async () => {
    const checks = `import { AssertContext } from "@callsheet/sdk"\nimport * as sdk from "@callsheet/sdk"\nvoid sdk\nexport const check = (ctx: AssertContext) => ctx.assert(true)\n`
    const folder = await folderOf({
      ...project,
      "apis/workflow/pay.json": { version: 1, blocks: [blocks[1]] },
      "apis/workflow/scripts/pay/checks.ts": checks,
    })
    await callsheet(["types"], { folder })
    const { exitCode, stdout } = await callsheet(["run", "pay"], { folder })
    expect(exitCode, stdout).toBe(0)
  })
})

describe("existing types", () => {
  const changed = schema({ id: { type: "string" }, price: { type: "number" } })

  it.each([[["validate"]], [["run", "pay"]]])("are updated by %j", async (words) => {
    const folder = await folderOf()
    await callsheet(["types"], { folder })
    await writeAs(folder, "apis/shop/openapi.json", changed)
    await callsheet(words, { folder })
    expect(await readText(folder, `${types}/index.d.ts`)).toContain("  price: number\n")
  })

  it("follow files that the document refers to", async () => {
    const parts = { Item: { type: "object", properties: { id: { type: "string" } } } }
    const folder = await folderOf({
      ...project,
      "apis/shop/openapi.json": JSON.stringify(schema({})).replace(
        /"schema":\{[^}]*\{\}\}/,
        `"schema":{"$ref":"parts.json#/Item"}`,
      ),
      "apis/shop/parts.json": parts,
    })
    await callsheet(["types"], { folder })
    expect(await readText(folder, `${types}/index.d.ts`)).toContain("  id?: string\n")
    await writeAs(folder, "apis/shop/parts.json", {
      Item: { type: "object", properties: { size: { type: "number" } } },
    })
    await callsheet(["validate"], { folder })
    expect(await readText(folder, `${types}/index.d.ts`)).toContain("  size?: number\n")
  })

  it("are not created by a command that only updates them", async () => {
    const folder = await folderOf()
    await callsheet(["validate"], { folder })
    await callsheet(["run", "pay"], { folder })
    expect(await readdir(join(folder, "apis/workflow/scripts"))).toEqual(["pay"])
    expect(await readdir(join(folder, "apis/workflow/scripts/pay"))).toEqual(["checks.ts"])
  })

  it("are only checked by size and time if nothing has changed", async () => {
    const folder = await folderOf()
    await callsheet(["types"], { folder })
    // The types that would be generated differ from the file.
    await writeFile(join(folder, types, "index.d.ts"), "// mine\n")
    await callsheet(["validate"], { folder })
    expect(await readText(folder, `${types}/index.d.ts`)).toBe("// mine\n")
  })

  it("don't fail a command that cannot write them", async () => {
    const folder = await folderOf()
    await callsheet(["types"], { folder })
    await writeAs(folder, "apis/shop/openapi.json", changed)
    // A directory in the file's place can't be written by anybody, including root.
    await rm(join(folder, types, "index.d.ts"))
    await mkdir(join(folder, types, "index.d.ts"))
    expect(await callsheet(["validate"], { folder })).toMatchObject({ exitCode: 0, stderr: "" })
  })
})

describe("callsheet validate --types", () => {
  const compiler = dirname(fileURLToPath(import.meta.resolve("typescript/package.json")))
  const withCompiler = async (files: Files): Promise<string> => {
    const folder = await folderOf(files)
    await mkdir(join(folder, "node_modules"))
    await symlink(compiler, join(folder, "node_modules/typescript"))
    return folder
  }
  const wrong = `import type { AssertContext } from "@callsheet/sdk"\nexport const go = () => true\nexport const check = (ctx: AssertContext) => ctx.get("get.response.body.idd")\n`
  const broken: Files = { ...project, "apis/workflow/scripts/pay/checks.ts": wrong }

  it("finds nothing in correct scripts", async () => {
    const folder = await withCompiler(project)
    expect(await callsheet(["validate", "--types"], { folder, timeoutMs: 60_000 })).toMatchObject({
      exitCode: 0,
      stderr: "",
    })
  })

  it("reports the compiler's errors at their positions", async () => {
    const folder = await withCompiler(broken)
    const { exitCode, stdout } = await callsheet(["validate", "--types", "--json"], {
      folder,
      timeoutMs: 60_000,
    })
    expect(exitCode).toBe(1)
    const { problems } = JSON.parse(stdout) as { problems: { message: string }[] }
    expect(problems).toMatchObject([
      {
        file: "apis/workflow/scripts/pay/checks.ts",
        line: 3,
        column: 54,
        code: "script-type",
        severity: "error",
      },
    ])
    expect(problems[0]?.message).toContain(`TS2345: Argument of type '"get.response.body.idd"'`)
  })

  it("reports what functions of assert and script blocks return, at the function", async () => {
    const call = (id: string, type: string) => ({ id, type, script: { name: "r", exportName: id } })
    const script = [
      `import type { AssertContext } from "@callsheet/sdk"`,
      `export const isBoolean = (ctx: AssertContext) => ctx.has("x")`,
      `export async function promise() { return false }`,
      `export function either(ctx: AssertContext) { if (ctx.has("x")) return "no" }`,
      `const named = () => [1]`,
      `export { named }`,
      `export const object = async () => ({ ok: true })`,
      `export const fine = async (ctx: AssertContext): Promise<void> => ctx.assert(true)`,
      `export const never = (): never => { throw new Error("x") }`,
      `export const perhaps = (): Promise<void> | undefined => undefined`,
      `export const condition = () => true`,
      "",
    ].join("\n")
    const folder = await withCompiler({
      ...project,
      "apis/workflow/scripts/plain/r.ts": script,
      "apis/workflow/plain.json": {
        version: 1,
        blocks: [
          ...["isBoolean", "promise", "either", "named"].map((id) => call(id, "assert")),
          call("object", "script"),
          ...["fine", "never", "perhaps"].map((id) => call(id, "assert")),
          { ...call("condition", "condition"), then: [] },
        ],
      },
    })
    const { stdout } = await callsheet(["validate", "--types", "--json"], { folder, timeoutMs: 60_000 })
    const { problems } = JSON.parse(stdout) as {
      problems: { code: string; line: number; column: number; message: string }[]
    }
    const found = problems.filter(({ code }) => code === "script-type")
    expect(found.map(({ line, column, message }) => `${line}:${column} ${message.split(",")[0]}`)).toEqual([
      `2:14 "isBoolean" returns boolean`,
      `3:23 "promise" returns boolean`,
      `4:17 "either" returns "no" | undefined`,
      `1:1 "named" returns number[]`,
      `7:14 "object" returns { ok: boolean; }`,
    ])
  })

  it("reports a path of ctx.expect that doesn't resolve, but takes any value", async () => {
    const script = [
      `import type { AssertContext, ConditionContext } from "@callsheet/sdk"`,
      `export const go = (ctx: ConditionContext) => ctx.env("shop").baseUrl === ""`,
      `export function check(ctx: AssertContext) {`,
      `  ctx.expect("get.response.body.id").toEqual("x")`,
      `  ctx.expect("get.response.body.idd").toEqual("x")`,
      `  ctx.expect("gte.response.body.id").toEqual("x")`,
      `  ctx.expect(ctx.get("get.response.body.id")).toMatch(/x/)`,
      `  ctx.expect("get.created").not.toEqual("a.example")`,
      `  ctx.expect("a.example").not.toEqual("b")`,
      `  ctx.expect([1, undefined]).not.toBeType("int")`,
      `  ctx.expect("get.response.status").toBeBetween(200)`,
      `}`,
      "",
    ].join("\n")
    const folder = await withCompiler({ ...project, "apis/workflow/scripts/pay/checks.ts": script })
    const { stdout } = await callsheet(["validate", "--types", "--json"], { folder, timeoutMs: 60_000 })
    const { problems } = JSON.parse(stdout) as { problems: { line: number; message: string }[] }
    expect(problems.map(({ line, message }) => `${line} ${message.split(":")[0]}`)).toEqual([
      "5 TS2345",
      "6 TS2345",
      "10 TS2345",
      "11 TS2554",
    ])
  })

  it("uses the scripts' own settings", async () => {
    const loose = `export const go = () => true\nexport const check = (ctx) => ctx\n`
    const files: Files = { ...project, "apis/workflow/scripts/pay/checks.ts": loose }
    const folder = await withCompiler({
      ...files,
      "tsconfig.json": {
        compilerOptions: {
          strict: false,
          module: "esnext",
          moduleResolution: "bundler",
          rootDir: "src",
          composite: true,
        },
        include: ["src"],
      },
    })
    const { exitCode, stdout } = await callsheet(["validate", "--types"], { folder, timeoutMs: 60_000 })
    expect(exitCode, stdout).toBe(0)
    await rm(join(folder, "tsconfig.json"))
    expect((await callsheet(["validate", "--types"], { folder, timeoutMs: 60_000 })).stdout).toContain(
      "TS7006",
    )
  })

  it("says what to do if there is no compiler", async () => {
    const { exitCode, stderr } = await callsheet(["validate", "--types"], { files: project })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("TypeScript is not installed in the project (compiler-missing)")
    expect(stderr).toContain("npm install --save-dev typescript")
  })

  it("needs no compiler if there is no script", async () => {
    const files: Files = { "apis/workflow/plain.json": { version: 1, blocks: [] } }
    expect((await callsheet(["validate", "--types"], { files })).exitCode).toBe(0)
  })

  it("reports a compiler that doesn't finish", async () => {
    const folder = await folderOf({
      ...project,
      "node_modules/typescript/package.json": { name: "typescript", bin: { tsc: "tsc.js" } },
      "node_modules/typescript/tsc.js": "process.exit(3)",
    })
    const { exitCode, stderr } = await callsheet(["validate", "--types"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("(compiler-failed)")
  })
})
