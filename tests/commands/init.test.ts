import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { editorSchemaOf, schemaKinds } from "@callsheet/format"
import { afterEach, describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, textsIn, writeFiles, type Files } from "../harness/callsheet.ts"

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function folderWith(files: Files = {}): Promise<string> {
  const folder = await createFolder(files)
  folders.push(folder)
  return folder
}

const settings = ".vscode/settings.json"

describe("callsheet init", () => {
  it("creates a valid project whose workflow passes without a server", async () => {
    const folder = await folderWith()
    const made = await callsheet(["init"], { folder })
    expect(made).toMatchObject({ exitCode: 0, stdout: "" })
    expect(Object.keys(await textsIn(folder))).toEqual([
      ".gitignore",
      ...schemaKinds.map((kind) => `.vscode/callsheet/${kind}.schema.json`).sort(),
      ".vscode/extensions.json",
      settings,
      "apis/example/environments/local.json",
      "apis/example/environments/schema.json",
      "apis/example/openapi.yaml",
      "apis/example/requests/greetings/welcome.json",
      "apis/workflow/hello.json",
    ])
    const validated = await callsheet(["validate", "--json"], { folder })
    expect(validated.exitCode).toBe(0)
    expect(JSON.parse(validated.stdout)).toMatchObject({ ok: true, problems: [] })
    const { exitCode, report, stderr } = await callsheet(["run", "hello", "--json", "--verify-no-leak"], {
      folder,
    })
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(report?.runs[0]?.counts).toEqual({ passed: 3, failed: 0, skipped: 4 })
  })

  it("creates a workflow that sends requests to a given server, with the secret if there is one", async () => {
    const folder = await folderWith()
    await callsheet(["init"], { folder })
    const greeting = { id: "g-1", text: "Hello, Ada!" }
    const api = await startApi({
      "POST /greetings": { status: 201, body: greeting },
      "GET /greetings/g-1": { body: greeting },
    })
    try {
      const written = await callsheet(["env", "write", "example", "local", "apiKey=k-123456"], { folder })
      expect(written.exitCode).toBe(0)
      const words = ["run", "hello", "--input", "live=true", "--input", "name=Ada", "--json"]
      const { exitCode, report } = await callsheet([...words, "--var", `example.baseUrl=${api.url}`], {
        folder,
      })
      expect(exitCode).toBe(0)
      expect(report?.runs[0]?.counts).toEqual({ passed: 7, failed: 0, skipped: 0 })
      expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
        "POST /greetings",
        "GET /greetings/g-1",
      ])
      expect(api.requests[0]).toMatchObject({
        json: { name: "Ada", language: "en" },
        headers: { "x-api-key": "k-123456" },
      })
    } finally {
      await api.close()
    }
  })

  it("prints the next commands, with the directory's name quoted for the shell", async () => {
    const folder = await folderWith()
    const { stderr, exitCode } = await callsheet(["init", "new/my tests'"], { folder })
    expect(exitCode).toBe(0)
    const commands = stderr.split("\n").filter((line) => line.startsWith("  "))
    expect(commands).toEqual([
      "  cd 'new/my tests'\\'''",
      "  callsheet validate",
      "  callsheet run hello",
      "  callsheet app",
    ])
    expect(await readText(folder, "new/my tests'/apis/workflow/hello.json")).toBeDefined()
    const here = await folderWith()
    // npm sets the variable: the command may not be on the path.
    const env = { npm_config_user_agent: "npm/11.6.0" }
    const printed = (await callsheet(["init"], { folder: here, env })).stderr
      .split("\n")
      .filter((line) => line.startsWith("  "))
    expect(printed).toEqual([
      "  npx callsheet validate",
      "  npx callsheet run hello",
      "  npx callsheet run hello --input live=true",
      "  npx callsheet app",
    ])
  })

  it("creates the project from an archive of Yarn, too", async () => {
    const folder = await folderWith()
    const preload = fileURLToPath(new URL("../harness/yarn-archive.cjs", import.meta.url))
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` }
    expect(await callsheet(["init"], { folder, env })).toMatchObject({ exitCode: 0, stdout: "" })
    expect(await readText(folder, "apis/workflow/hello.json")).toBeDefined()
  })

  it.each([
    ["npm/11.6.0 node/v24.0.0 linux x64 workspaces/false", "npx callsheet"],
    ["pnpm/10.34.8 npm/? node/v24.0.0 linux x64", "npx callsheet"],
    ["yarn/4.18.1 npm/? node/v24.0.0 linux x64", "yarn run callsheet"],
    ["bun/1.4.5 npm/? node/v24.0.0 linux x64", "bun run callsheet"],
    ["__proto__/1.0.0", "callsheet"],
  ])("names the command as %s starts it", async (npm_config_user_agent, name) => {
    const folder = await folderWith()
    const { stderr } = await callsheet(["init"], { folder, env: { npm_config_user_agent } })
    expect(stderr).toContain(`\n  ${name} validate\n  ${name} run hello\n`)
  })

  it("keeps existing files and adds missing lines", async () => {
    const files = {
      ".gitignore": "node_modules",
      "README.md": "mine",
      [settings]: '{\n  // mine\n  "editor.tabSize": 4,\n}\n',
      "package.json": "{}",
    }
    const folder = await folderWith(files)
    expect((await callsheet(["init"], { folder })).exitCode).toBe(0)
    const texts = await textsIn(folder)
    expect(texts[".gitignore"]).toBe(
      "node_modules\n*.secrets.env\n*.callsheet\n.callsheet/\n.callsheet-*\nreports/\nallure-results/\n",
    )
    expect(texts).toMatchObject({ "README.md": "mine", "package.json": "{}" })
    expect(texts[settings]).toMatch(/^\{\n {2}\/\/ mine\n {2}"editor.tabSize": 4,\n {2}"json.schemas": \[\n/)
    expect(texts[settings]?.endsWith("\n  ],\n}\n")).toBe(true)
  })

  it("lets git ignore everything that callsheet writes and nobody should commit, once", async () => {
    const folder = await folderWith({})
    await callsheet(["init"], { folder })
    execFileSync("git", ["init", "-q"], { cwd: folder })
    const written = [
      "apis/example/environments/local.secrets.env",
      "run.callsheet",
      "records/shard-1.callsheet",
      ".callsheet/report.json",
      ".callsheet-journal.json",
      "apis/workflow/.callsheet-0123456789abcdef.secrets.env",
      "reports/junit.xml",
      "allure-results/a-result.json",
      "apis/workflow/scripts/hello/node_modules/@callsheet/sdk/index.d.ts",
    ]
    for (const file of written) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), "x")
    }
    execFileSync("git", ["add", "."], { cwd: folder })
    const added = execFileSync("git", ["ls-files"], { cwd: folder, encoding: "utf8" }).split("\n")
    expect(added.filter((file) => written.includes(file))).toEqual([])
    expect(added).toContain("apis/workflow/hello.json")
    const before = await readText(folder, ".gitignore")
    await rm(join(folder, "apis"), { recursive: true })
    await callsheet(["init"], { folder })
    expect(await readText(folder, ".gitignore")).toBe(before)
  })

  it("keeps settings that it cannot read, and says what to add", async () => {
    const folder = await folderWith({ [settings]: "{ 'a': 1 }" })
    const { exitCode, stderr } = await callsheet(["init"], { folder })
    expect(exitCode).toBe(0)
    expect(await readText(folder, settings)).toBe("{ 'a': 1 }")
    const printed = /\{\n {2}"json\.schemas"[^]*?\n\}/.exec(stderr)?.[0] ?? ""
    const entries = (JSON.parse(printed) as { "json.schemas": unknown[] })["json.schemas"]
    expect(entries).toHaveLength(6)
    expect((await callsheet(["run", "hello"], { folder })).exitCode).toBe(0)
  })

  it.each([
    ["a project", { "apis/shop/openapi.json": {} }],
    ["an empty directory apis/", { "apis/.keep": "" }],
    ["a file apis", { apis: "" }],
  ])("rejects %s and changes nothing", async (_, files) => {
    const folder = await folderWith(files)
    const before = await textsIn(folder)
    const { exitCode, stderr, stdout } = await callsheet(["init"], { folder })
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain("(project-exists)")
    expect(await textsIn(folder)).toEqual(before)
  })

  it("writes nothing if one of its files cannot be written", async () => {
    const folder = await folderWith({ ".vscode": "a file in the way" })
    const { exitCode, stderr } = await callsheet(["init"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("(write-failed)")
    expect(await readdir(folder)).toEqual([".vscode"])
  })

  it("writes nothing through a link that leads out of the project", async () => {
    const outside = await folderWith({ "settings.json": "{}" })
    const folder = await folderWith()
    await symlink(outside, join(folder, ".vscode"), "junction")
    const { exitCode, stderr } = await callsheet(["init"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("(link-outside)")
    expect(await readdir(folder)).toEqual([".vscode"])
    expect(await textsIn(outside)).toEqual({ "settings.json": "{}" })
  })

  it("rejects a directory that is a file, and two directories", async () => {
    const folder = await folderWith({ a: "" })
    expect((await callsheet(["init", "a"], { folder })).stderr).toContain("(write-failed)")
    const twice = await callsheet(["init", "b", "--project", "c"], { folder })
    expect(twice.exitCode).toBe(2)
    expect(twice.stderr).toContain("(usage)")
    expect(await readdir(folder)).toEqual(["a"])
  })
})

describe("callsheet init --editor", () => {
  const project = { "apis/workflow/a.json": { version: 1, blocks: [] } }

  it("writes the editor's files into an existing project, and nothing the second time", async () => {
    const folder = await folderWith(project)
    const first = await callsheet(["init", "--editor"], { folder, cwd: "apis/workflow" })
    expect(first).toMatchObject({ exitCode: 0, stdout: "" })
    const texts = await textsIn(folder)
    expect(Object.keys(texts).filter((path) => !path.startsWith(".vscode/"))).toEqual([
      "apis/workflow/a.json",
    ])
    for (const kind of schemaKinds) {
      const text = texts[`.vscode/callsheet/${kind}.schema.json`] ?? ""
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(editorSchemaOf(kind))))
    }
    const second = await callsheet(["init", "--editor"], { folder })
    expect(second).toMatchObject({ exitCode: 0, stderr: "the editor's files are up to date\n" })
    expect(await textsIn(folder)).toEqual(texts)
  })

  it("updates schemas of an older callsheet", async () => {
    const folder = await folderWith({ ...project, ".vscode/callsheet/workflow.schema.json": "{}" })
    await callsheet(["init", "--editor"], { folder })
    expect(await readText(folder, ".vscode/callsheet/workflow.schema.json")).toContain(
      "urn:callsheet:schema:workflow:editor:1",
    )
  })

  it("recommends the extension, unless the project has recommendations", async () => {
    const folder = await folderWith(project)
    await callsheet(["init", "--editor"], { folder })
    const manifest = new URL("../../packages/vscode/package.json", import.meta.url)
    const { publisher, name } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, string>
    const file = ".vscode/extensions.json"
    expect(JSON.parse((await readText(folder, file)) ?? "")).toEqual({
      recommendations: [`${publisher}.${name}`],
    })
    const other = await folderWith({ ...project, [file]: "{}" })
    await callsheet(["init", "--editor"], { folder: other })
    expect(await readText(other, file)).toBe("{}")
  })

  it("lists only files that it writes, and every sample file for exactly one schema", async () => {
    const folder = await folderWith()
    await cp(fileURLToPath(new URL("../../examples/shop", import.meta.url)), folder, { recursive: true })
    await callsheet(["init", "--editor"], { folder })
    const texts = await textsIn(folder)
    const { "json.schemas": entries } = JSON.parse(texts[settings] ?? "") as {
      "json.schemas": { url: string; fileMatch: string[] }[]
    }
    expect(entries.map(({ url }) => texts[url.slice(2)] !== undefined)).toEqual(Array(6).fill(true))
    const files = Object.keys(texts).filter(
      (path) => /^apis\/.*\.json$/.test(path) && !path.endsWith("/openapi.json"),
    )
    const matching = files.map(
      (file) => entries.filter(({ fileMatch }) => matches(`/${file}`, fileMatch)).length,
    )
    expect(files.length).toBeGreaterThan(15)
    expect(new Set(matching)).toEqual(new Set([1]))
  })

  it("needs a project", async () => {
    const folder = await folderWith()
    await mkdir(join(folder, "b"))
    expect((await callsheet(["init", "--editor"], { folder })).stderr).toContain("(project-missing)")
    expect((await callsheet(["init", "--editor", "b"], { folder })).stderr).toContain("(project-missing)")
    expect(await textsIn(folder)).toEqual({})
  })
})

/** Matches like VS Code: the last pattern that matches a file wins. */
function matches(file: string, patterns: readonly string[]): boolean {
  const last = patterns.findLast((pattern) =>
    new RegExp(`^${pattern.replace("!", "").replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`).test(file),
  )
  return last !== undefined && !last.startsWith("!")
}

describe("callsheet init --agents", () => {
  const files = [".claude/skills/callsheet/SKILL.md", ".agents/skills/callsheet/SKILL.md"]

  it("writes a short skill file where agents look for it", async () => {
    const folder = await folderWith({ "apis/workflow/w.json": { version: 1, blocks: [] } })
    const { exitCode, stdout, stderr } = await callsheet(["init", "--agents"], { folder })
    expect([exitCode, stdout, stderr]).toEqual([0, "", `wrote ${files.join(", ")}\n`])
    const [one, other] = await Promise.all(files.map((file) => readText(folder, file)))
    expect(one).toBe(other)
    expect(one?.split("\n").length).toBeLessThanOrEqual(60)
    expect(one).toMatch(/^---\nname: callsheet\ndescription: .{50,1024}\n---\n/)
  })

  it("shows a workflow that validates", async () => {
    const folder = await folderWith({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        servers: [{ url: "http://127.0.0.1:1" }],
        paths: {
          "/orders": {
            post: {
              operationId: "createOrder",
              requestBody: { content: { "application/json": {} } },
              responses: { 201: { description: "Made." } },
            },
          },
        },
      },
      "apis/workflow/w.json": { version: 1, blocks: [] },
    })
    await callsheet(["init", "--agents"], { folder })
    const skill = await readText(folder, files[0] ?? "")
    await writeFiles(folder, { "apis/workflow/w.json": /```json\n([^`]+)```/.exec(skill ?? "")?.[1] })
    const { exitCode, stdout } = await callsheet(["validate", "--json"], { folder })
    expect([exitCode, JSON.parse(stdout).problems]).toEqual([0, []])
  })

  it("keeps files that exist", async () => {
    const folder = await folderWith({
      "apis/workflow/w.json": { version: 1, blocks: [] },
      [files[0] ?? ""]: "mine",
    })
    const { exitCode, stderr } = await callsheet(["init", "--agents"], { folder })
    expect([exitCode, stderr]).toEqual([0, `wrote ${files[1]}\nkept ${files[0]}\n`])
    expect(await readText(folder, files[0] ?? "")).toBe("mine")
    expect((await callsheet(["init", "--agents"], { folder })).stderr).toBe(`kept ${files.join(", ")}\n`)
  })

  it("needs a project, and can't be used with --editor", async () => {
    const folder = await folderWith()
    expect((await callsheet(["init", "--agents"], { folder })).stderr).toContain("(project-missing)")
    expect((await callsheet(["init", "--agents", "--editor"], { folder })).stderr).toContain(
      "can't be used with",
    )
    expect(await textsIn(folder)).toEqual({})
  })
})
