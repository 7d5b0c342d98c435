import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const request = (name: string, path: string, code: string, more: object = {}) => ({
  name,
  request: { method: "GET", url: `{{baseUrl}}${path}` },
  event: [{ listen: "test", script: { exec: code.split("\n") } }],
  ...more,
})

const collection = (item: readonly unknown[], more: object = {}) => ({
  info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  variable: [{ key: "baseUrl", value: "http://127.0.0.1:1" }],
  item,
  ...more,
})

interface Blocks {
  readonly blocks: readonly {
    readonly id: string
    readonly type: string
    readonly description?: string
    readonly assertions?: readonly {
      readonly source: string
      readonly operator: string
      readonly value?: unknown
    }[]
    readonly transforms?: Readonly<Record<string, string>>
  }[]
}

/** Imports one request with a test script. */
async function convert(code: string) {
  const folder = await folderWith({ "shop.json": collection([request("Get", "/get", code)]) })
  const { result, exitCode } = await importInto(folder, ["shop.json"])
  const { blocks } = (await readJson(folder, "apis/workflow/shop.json")) as Blocks
  const assertions = blocks.flatMap((block) => block.assertions ?? [])
  const { transforms = {} } = blocks.find(({ type }) => type === "transform") ?? {}
  const checks = assertions.map(({ source, operator, value }) =>
    [
      source.replace("get.response.", ""),
      operator,
      ...(value === undefined ? [] : [JSON.stringify(value)]),
    ].join(" "),
  )
  return { exitCode, blocks, result, checks, transforms, problems: await validated(folder) }
}

describe("test scripts of Postman", () => {
  it.each<readonly [code: string, checks: readonly string[]]>([
    ['pm.test("a", function () { pm.response.to.have.status(201); });', ["status equals 201"]],
    ['pm.test("a", () => pm.expect(pm.response.code).to.eql(200))', ["status equals 200"]],
    ["pm.response.to.be.ok", ["status equals 200"]],
    ["pm.response.to.be.success", ["status greaterThan 199", "status lessThan 300"]],
    ["pm.expect(pm.response.responseTime).to.be.below(500)", ["durationMs lessThan 500"]],
    ['pm.response.to.have.header("Content-Type")', ["headers.content-type exists"]],
    [
      'pm.expect(pm.response.headers.get("Content-Type")).to.include("json")',
      ['headers.content-type contains "json"'],
    ],
    [
      `var jsonData = JSON.parse(responseBody);
       tests["Status code is 200"] = responseCode.code === 200;
       tests["name"] = jsonData.user.name == "Ada";
       var user = jsonData.user || {};
       tests["has an email"] = user.hasOwnProperty("email");`,
      ["status equals 200", 'body.user.name equals "Ada"', "body.user.email exists"],
    ],
    [
      `const data = pm.response.json();
       const first = data.items[0]
       pm.test("items", () => {
         pm.expect(first.id).to.exist;
         pm.expect(first["the name"]).to.not.equal(null);
         pm.expect(data).to.have.property("total", 2);
         pm.expect(data?.active).to.be.true;
         pm.expect(data.total).to.be.greaterThan(-1);
         pm.expect(data.tags).to.deep.equal(["a", {b: 1}]);
         pm.expect(data.zone).to.eql(pm.environment.get("zone"));
         pm.expect(data).to.not.have.property("error");
       })`,
      [
        "body.items.0.id hasValue",
        "body.items.0.the name notEquals null",
        "body.total equals 2",
        "body.active equals true",
        "body.total greaterThan -1",
        'body.tags equals ["a",{"b":1}]',
        'body.zone equals "{{env.shop.zone}}"',
        "body.error notExists",
      ],
    ],
  ])("%s", async (code, checks) => {
    const converted = await convert(code)
    expect(converted.checks).toEqual(checks)
    expect(converted.problems).toEqual([])
    expect(converted.exitCode).toBe(0)
  })

  it.each([
    "pm.expect(pm.cookies.has('session')).to.be.true",
    "if (pm.response.code === 200) { pm.execution.setNextRequest(null) }",
    'if (pm.variables.get("a")) pm.sendRequest("https://a.example", () => {})',
    "const value = await later()",
    'pm.environment.set("hash", CryptoJS.MD5("a"))',
    "pm.expect(pm.response.text()).to.include('\"x\": 1')",
    "this is not JavaScript",
  ])("carries %s over as a script to translate", async (code) => {
    const { checks, exitCode, problems, result } = await convert(code)
    expect([checks, exitCode, problems]).toEqual([[], 1, ["import-todo"]])
    expect(result?.losses.map(({ what }) => what)).toEqual(["script"])
  })

  it("keeps the names of tests as a description, and what it could convert beside a script", async () => {
    const { blocks, checks } = await convert(`
      pm.test("Status is 200", () => { pm.response.to.have.status(200) })
      pm.test("Has a session", () => { pm.expect(pm.cookies.has("session")).to.be.true })`)
    expect(checks).toEqual(["status equals 200"])
    expect(blocks.map(({ type }) => type)).toEqual(["request", "assert", "script"])
    expect(blocks.slice(1).map(({ description }) => description)).toEqual(["Status is 200", "Has a session"])
  })

  it("passes variables that a script sets to later requests, and runs the checks", async () => {
    const api = await startApi({
      "GET /v1/login": { body: { token: "tok-123456", user: { id: 7 } } },
      "GET /v1/users/7": { body: { id: 7 } },
      "GET /v1/late": { status: 500, body: {} },
    })
    const folder = await folderWith({
      "shop.json": collection(
        [
          request(
            "Login",
            "/login",
            `const r = pm.response.json()
             pm.environment.set("token", r.token)
             pm.collectionVariables.set("userId", r.user.id)`,
          ),
          request(
            "User",
            "/users/{{userId}}",
            'pm.test("same", () => pm.expect(pm.response.json().id).to.eql(7))',
            {},
          ),
          request("Late", "/late", "console.log('hi')"),
        ],
        {
          auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
          event: [{ listen: "test", script: { exec: "pm.response.to.have.status(200)" } }],
          variable: [
            { key: "baseUrl", value: `${api.url}/v1` },
            { key: "token", value: "old-token" },
          ],
        },
      ),
    })
    const { result } = await importInto(folder, ["shop.json"])
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "shop.json: Login: variable token",
      "shop.json: Late / event[test]: console output",
    ])
    expect(await validated(folder)).toEqual([])
    const { exitCode, report } = await callsheet(["run", "shop", "--json"], { folder })
    await api.close()
    expect(exitCode).toBe(1)
    const failed = report?.runs[0]?.blocks.filter(({ status }) => status === "failed").map(({ id }) => id)
    expect(failed).toEqual(["late-tests"])
    const [login, user] = api.requests
    expect(login?.headers.authorization).toBe("Bearer old-token")
    expect(user?.url).toBe("/v1/users/7")
    expect(user?.headers.authorization).toBe("Bearer tok-123456")
    expect(Object.values(await textsIn(folder)).join("")).not.toContain("tok-123456")
  })
})
