// Imported tests against a server: each named test gets the verdict that it has in Postman, for a response that passes and
// for one that fails.

import { mkdir, symlink } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, readText, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"
import { snippets, untranslated } from "./snippets.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

const collection = (url: string, item: readonly unknown[], more: object = {}) => ({
  info: { name: "Shop", schema },
  variable: [
    { key: "baseUrl", value: url },
    { key: "userId", value: "7" },
  ],
  item,
  ...more,
})

const request = (name: string, path: string, code: string, before = "") => ({
  name,
  request: { method: "GET", url: `{{baseUrl}}${path}` },
  event: [
    ...(code === "" ? [] : [{ listen: "test", script: { exec: code.split("\n") } }]),
    ...(before === "" ? [] : [{ listen: "prerequest", script: { exec: before.split("\n") } }]),
  ],
})

interface Block {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly description?: string
  readonly assertions?: readonly {
    readonly source: string
    readonly operator: string
    readonly value?: unknown
  }[]
  readonly blocks?: readonly Block[]
  readonly then?: readonly Block[]
}

const flat = (blocks: readonly Block[]): readonly Block[] =>
  blocks.flatMap((block) => [block, ...flat([...(block.blocks ?? []), ...(block.then ?? [])])])

/** Runs every workflow, and returns the verdicts of its tests by workflow and block. */
async function verdicts(folder: string): Promise<ReadonlyMap<string, readonly Block[]>> {
  const { report } = await callsheet(["run", "--all", "--json"], { folder })
  const runs = (report?.runs ?? []) as readonly {
    readonly workflow: string
    readonly blocks: readonly Block[]
  }[]
  return new Map(
    runs.map(({ workflow, blocks }) => [workflow, flat(blocks).filter(({ type }) => type === "assert")]),
  )
}

async function withCompiler(folder: string): Promise<void> {
  await mkdir(`${folder}/node_modules`, { recursive: true })
  const compiler = fileURLToPath(new URL("../../node_modules/typescript", import.meta.url))
  await symlink(compiler, `${folder}/node_modules/typescript`)
}

async function typeProblems(folder: string): Promise<readonly string[]> {
  const { stdout } = await callsheet(["validate", "--types", "--json"], { folder })
  const { problems } = JSON.parse(stdout) as {
    problems: readonly { severity: string; message: string; file: string }[]
  }
  return problems.flatMap(({ severity, message, file }) =>
    severity === "error" ? [`${file}: ${message}`] : [],
  )
}

describe("tests of Postman's snippets and docs", () => {
  const answers = Object.fromEntries(
    snippets.flatMap(({ good, bad }, at) =>
      [good, bad].map((answer, which) => {
        const isText = typeof answer.body === "string" || answer.body === undefined
        const headers = { "content-type": isText ? "text/plain" : "application/json", ...answer.headers }
        const body = isText ? (answer.body ?? "") : answer.body
        return [`GET /${which === 0 ? "good" : "bad"}/${at}`, { status: answer.status ?? 200, headers, body }]
      }),
    ),
  )

  it("gets the verdict that it has in Postman, and checks types", { timeout: 120_000 }, async () => {
    const api = await startApi(answers)
    const item = snippets.map(({ code }, at) => ({
      name: `Case ${at}`,
      item: ["good", "bad"].map((which) => request(which, `/${which}/${at}`, code)),
    }))
    const folder = await folderWith({ "shop.json": collection(api.url, item) })
    const { result } = await importInto(folder, ["shop.json"])
    expect(result?.losses).toEqual([])
    expect(await validated(folder)).toEqual([])
    await withCompiler(folder)
    expect(await typeProblems(folder)).toEqual([])
    const found = await verdicts(folder)
    await api.close()
    const wrong = snippets.flatMap(({ code }, at) => {
      const shown = (found.get(`case-${at}`) ?? []).map(({ id, status }) => `${id} ${status}`)
      const isRight =
        shown.length === 2 &&
        /^good-\S* passed$/.test(shown[0] ?? "") &&
        /^bad-\S* failed$/.test(shown[1] ?? "")
      return isRight ? [] : [{ code, shown }]
    })
    expect(wrong).toEqual([])
  })

  it("uses assertions where operators say the same, and checks in code otherwise", async () => {
    const item = snippets.map(({ code }, at) => ({ name: `Case ${at}`, item: [request("good", "/", code)] }))
    const folder = await folderWith({ "shop.json": collection("http://127.0.0.1:1", item) })
    await importInto(folder, ["shop.json"])
    const wrong: unknown[] = []
    for (const [at, { code, becomes }] of snippets.entries()) {
      const { blocks } = (await readJson(folder, `apis/workflow/case-${at}.json`)) as {
        readonly blocks: readonly Block[]
      }
      const text = (await readText(folder, `apis/workflow/scripts/case-${at}/good-after.ts`)) ?? ""
      const assertions = flat(blocks).flatMap((block) => block.assertions ?? [])
      const shown = assertions.map(({ source, operator, value }) =>
        [
          source.replace("good.response.", ""),
          operator,
          ...(value === undefined ? [] : [JSON.stringify(value)]),
        ].join(" "),
      )
      const isRight =
        typeof becomes === "string"
          ? text.includes(becomes) && shown.length === 0
          : shown.join("\n") === becomes.join("\n")
      if (!isRight) wrong.push({ code, becomes, shown, text })
    }
    expect(wrong).toEqual([])
  })

  it("skips what it can't translate, with the reason in the file", async () => {
    const api = await startApi({ "GET /good": { body: { a: 1 } } })
    const item = untranslated.map(([code], at) => request(`Case ${at}`, "/good", code))
    const folder = await folderWith({ "shop.json": collection(api.url, item) })
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect([exitCode, result?.losses.length]).toEqual([1, untranslated.length])
    const { report } = await callsheet(["run", "shop", "--json"], { folder })
    await api.close()
    const blocks = (report?.runs[0]?.blocks ?? []) as readonly Block[]
    expect(blocks.filter(({ type }) => type === "assert")).toEqual([])
    expect(blocks.filter(({ type }) => type === "script").map(({ status }) => status)).toEqual(
      untranslated.map(() => "skipped"),
    )
    for (const [at, [, what]] of untranslated.entries())
      expect(await readText(folder, `apis/workflow/scripts/shop/case-${at}-after.ts`)).toContain(
        `// Not translated: ${what}`,
      )
  })
})

describe("the other parts of a script", () => {
  it("sets variables in conditions, from texts and from code", async () => {
    const api = await startApi({
      "GET /login": { body: { token: "t-123456", id: 3 } },
      "GET /users/3/admin/old": { body: {} },
    })
    const login = `
      const json = pm.response.json()
      if (pm.response.code === 200) { pm.environment.set("id", json.id); pm.environment.set("role", "admin") }
      if (json.missing) pm.environment.set("state", json.missing)`
    const user = 'pm.test("ok", () => pm.response.to.have.status(200))'
    const source = collection(api.url, [
      request("Login", "/login", login),
      request("User", "/users/{{id}}/{{role}}/{{state}}", user),
    ])
    source.variable.push({ key: "state", value: "old" })
    const folder = await folderWith({ "shop.json": source })
    expect((await importInto(folder, ["shop.json"])).exitCode).toBe(0)
    expect(await validated(folder)).toEqual([])
    await withCompiler(folder)
    expect(await typeProblems(folder)).toEqual([])
    const { exitCode } = await callsheet(["run", "shop"], { folder })
    await api.close()
    expect([exitCode, api.requests[1]?.url]).toEqual([0, "/users/3/admin/old"])
  })

  it("runs the tests in a condition only if it is met", async () => {
    const api = await startApi({ "GET /get": { body: { active: false } } })
    const code = `if (pm.response.json().active) { pm.test("is active", () => pm.expect(1).to.eql(2)) }
      else { pm.test("is inactive", () => pm.response.to.have.status(200)) }`
    const folder = await folderWith({ "shop.json": collection(api.url, [request("Get", "/get", code)]) })
    await importInto(folder, ["shop.json"])
    const tests = (await verdicts(folder)).get("shop") ?? []
    await api.close()
    expect(tests.map(({ description, status }) => `${description}: ${status}`)).toEqual([
      "is active: skipped",
      "is inactive: passed",
    ])
  })

  it("writes a script of the collection once, and calls it where it runs", async () => {
    const api = await startApi({ "GET /a": { body: { id: 7 } }, "GET /b": { status: 500, body: { id: 8 } } })
    const event = [
      { listen: "prerequest", script: { exec: 'pm.variables.set("now", Date.now()); CryptoJS.MD5("x")' } },
      {
        listen: "test",
        script: {
          exec: `pm.test("status", () => pm.expect(pm.response.code).to.be.oneOf([200, 201]))
            pm.test("id", () => pm.expect(String(pm.response.json().id)).to.eql(pm.environment.get("userId")))`,
        },
      },
    ]
    const folders = [1, 2].map((at) => ({
      name: `Folder ${at}`,
      item: [request("A", "/a", ""), request("B", "/b", "")],
    }))
    const folder = await folderWith({ "shop.json": collection(api.url, folders, { event }) })
    const { result } = await importInto(folder, ["shop.json"])
    expect(result?.losses.map(({ reason }) => reason)).toEqual([
      "apis/workflow/scripts/shared/shop-before.ts contains the code as a comment; translate it",
    ])
    const texts = await textsIn(folder)
    const scripts = Object.entries(texts).filter(([file]) => file.endsWith(".ts"))
    expect(scripts.filter(([, text]) => text.includes("Date.now()")).length).toBe(1)
    expect(scripts.filter(([, text]) => text.includes("toBeOneOf")).length).toBe(1)
    expect(await validated(folder)).toEqual(["import-todo"])
    await withCompiler(folder)
    expect(await typeProblems(folder)).toEqual([])
    const found = await verdicts(folder)
    await api.close()
    for (const workflow of ["folder-1", "folder-2"])
      expect(found.get(workflow)?.map(({ id, status }) => `${id}: ${status}`)).toEqual([
        "a-status: passed",
        "a-id: passed",
        "b-status: failed",
        "b-id: failed",
      ])
  })

  it("writes secrets in a script as variables", async () => {
    const code = `pm.environment.set("apiKey", "s3cr3t-4711-abcd")
      pm.test("key", () => pm.expect(pm.response.json().key).to.be.oneOf(["s3cr3t-4711-abcd"]))`
    const folder = await folderWith({
      "shop.json": collection("http://127.0.0.1:1", [request("Get", "/", code)]),
    })
    const { stdout } = await importInto(folder, ["shop.json"])
    const texts = Object.entries(await textsIn(folder)).filter(([file]) => file !== "shop.json")
    const leaks = texts.flatMap(([file, text]) => (text.includes("s3cr3t-4711") ? [file] : []))
    expect([leaks, stdout.includes("s3cr3t-4711")]).toEqual([
      ["apis/shop/environments/default.secrets.env"],
      false,
    ])
    expect(texts.find(([file]) => file.endsWith("get-after.ts"))?.[1]).toContain(
      'toBeOneOf([ctx.env("shop").apiKey])',
    )
  })

  it("quotes texts of a script, so that none becomes code", async () => {
    const hostile = String.raw`"]); process.exit(3); //\u2028` + "${process.exit(4)}`*/"
    const code = `pm.test(${JSON.stringify(hostile)}, () => pm.expect(pm.response.json().a).to.be.oneOf([${JSON.stringify(hostile)}]))`
    const api = await startApi({ "GET /get": { body: { a: hostile } } })
    const folder = await folderWith({ "shop.json": collection(api.url, [request("Get", "/get", code)]) })
    await importInto(folder, ["shop.json"])
    const { exitCode } = await callsheet(["run", "shop"], { folder })
    await api.close()
    expect(exitCode).toBe(0)
  })
})
