import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { echo, shopFiles } from "./shop-project.ts"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": (request) => ({ body: { path: request.path } }) })
})
afterAll(() => api.close())

const pay = { id: "pay", type: "request", request: { api: "pay", operation: "pay" } }
const document = {
  openapi: "3.1.0",
  info: { title: "Pay", version: "1" },
  paths: { "/pay": { get: { operationId: "pay", responses: {} } } },
}
const variable = (type: string, more = {}) => ({ type, required: true, ...more })

/** Two APIs, `shop` and `pay`. The workflow `w` uses the first, `both` uses both. */
const project = (more: Files = {}): Files => ({
  ...shopFiles(api.url, [echo("get")]),
  "apis/workflow/both.json": { version: 1, inputs: { q: { type: "string" } }, blocks: [echo("get"), pay] },
  "apis/pay/openapi.json": document,
  "apis/pay/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: variable("string"),
      a: variable("string"),
      key: variable("string", { secret: true }),
      n: variable("number"),
    },
  },
  "apis/pay/environments/one.json": { baseUrl: api.url, a: "1", n: 1 },
  "apis/pay/environments/one.secrets.env": "key=s3cr3t-k3y\n",
  ...more,
})

interface Outcome {
  readonly exitCode: number | undefined
  readonly stderr: string
  readonly bindings: unknown
  readonly sent: number
}

async function run(words: string, files: Files = {}, env: Record<string, string> = {}): Promise<Outcome> {
  const before = api.requests.length
  const { exitCode, stderr, report } = await callsheet(["run", ...words.split(" "), "--json"], {
    files: project(files),
    env,
  })
  const bindings = report?.runs.map(({ environments }) =>
    Object.entries(environments).map(([name, { name: chosen }]) => `${name}=${chosen}`),
  )
  return { exitCode, stderr, bindings, sent: api.requests.length - before }
}

const shop = (name: string, content: object = {}): Files => ({
  [`apis/shop/environments/${name}.json`]: { baseUrl: api.url, ...content },
})

describe("the environment of an API", () => {
  it.each<[string, string, () => Files, readonly string[]]>([
    ["its only one", "both", () => ({}), ["shop=local", "pay=one"]],
    [
      "its own choice, before the one for all",
      "both --env stage --env pay=one",
      () => shop("stage"),
      ["shop=stage", "pay=one"],
    ],
    ["the one for all", "w --env stage", () => shop("stage"), ["shop=stage"]],
    ["unaffected by an API that is not used", "w --env pay=one", () => ({}), ["shop=local"]],
    [
      "unaffected by the errors of an API that is not used",
      "w",
      () => ({
        "apis/pay/openapi.json": "{",
        "apis/pay/environments/one.json": "{",
        "apis/pay/environments/schema.json": "",
      }),
      ["shop=local"],
    ],
    [
      "unaffected by a saved request that is not sent",
      "w",
      () => ({ "apis/shop/requests/tools/x.json": "{" }),
      ["shop=local"],
    ],
  ])("is %s", async (_, words, files, expected) => {
    const { exitCode, stderr, bindings } = await run(words, files())
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(bindings).toEqual([expected])
  })

  it.each<[string, string, () => Files, readonly string[]]>([
    [
      "is missing the environment chosen for all",
      "both --env local",
      () => ({}),
      ['the API "pay" has no environment "local" (env-missing)', "it has one"],
    ],
    [
      "has several, and none was chosen",
      "both --var pay.a=x --input q=1",
      () => ({ ...shop("a", { level: "production" }), ...shop("b", { extends: "a" }) }),
      [
        'no environment was chosen for the API "shop", which has 3: "a", "b" and "local" (env-ambiguous)',
        "try: callsheet run both --env shop=local --env pay=one --input q=1 --var pay.a=x\n",
      ],
    ],
    [
      "is unknown",
      "w --env shpo=local",
      () => ({}),
      ['the API "shpo" does not exist (api-unknown)', 'did you mean "shop"?'],
    ],
    [
      "has no environment with that name",
      "w --env shop=lcoal",
      () => ({}),
      ['no environment "lcoal" (env-missing)', 'did you mean "local"?'],
    ],
    [
      "gets an undeclared variable",
      "both --var pay.aa=1",
      () => ({}),
      [`doesn't declare a variable "aa" (variable-undeclared)`],
    ],
    [
      "gets a value of another type",
      "both --var pay.n=0x1",
      () => ({}),
      ["--var pay.n is not a number", "(variable-type)"],
    ],
    [
      "has an invalid base URL",
      "w",
      () => shop("local", { baseUrl: "ftp://user:pw@host" }),
      ["is not an http or https URL (variable-type)"],
    ],
    [
      "is production, and the run was not confirmed",
      "both",
      () => shop("local", { level: "production" }),
      ["a run against production (shop=local) requires confirmation", "--yes"],
    ],
  ])("that %s stops the run before anything is sent", async (_, words, files, texts) => {
    const { exitCode, stderr, sent } = await run(words, files())
    expect([exitCode, sent]).toEqual([2, 0])
    for (const text of texts) expect(stderr).toContain(text)
    expect(stderr).not.toContain("user:pw")
  })
})

describe("a required variable without a value", () => {
  it("is reported with all others and the file where it could go", async () => {
    const { exitCode, sent, stderr } = await run(
      "both --env pay=one --env shop=local",
      {
        "apis/pay/environments/one.json": { baseUrl: "", a: null, extends: "parent" },
        "apis/pay/environments/one.secrets.env": "key=\nn=\n",
        "apis/pay/environments/parent.json": { baseUrl: api.url, a: "inherited", n: 5 },
        "apis/pay/environments/parent.secrets.env": "key=inherited\n",
      },
      { CALLSHEET_VAR__PAY__KEY: "" },
    )
    expect([exitCode, sent]).toEqual([2, 0])
    expect(stderr.match(/\(variable-\w+\)/g)).toEqual(Array.from({ length: 4 }, () => "(variable-missing)"))
    for (const [name, file] of [
      ["baseUrl", "one.json"],
      ["a", "one.json"],
      ["key", "one.secrets.env"],
      ["n", "one.json"],
    ]) {
      expect(stderr).toMatch(new RegExp(`${file}: the required \\w+ "${name}" of the API "pay" has no value`))
    }
    expect(stderr).not.toContain("inherited")
  })

  it("reads process variables", async () => {
    const files = { "apis/pay/environments/one.secrets.env": "" }
    expect((await run("both", files)).exitCode).toBe(2)
    expect((await run("both", files, { CALLSHEET_VAR__PAY__KEY: "given" })).exitCode).toBe(0)
  })
})

it("warns about a secret in a committed file, and continues", async () => {
  const { exitCode, stderr, sent } = await run("both", {
    "apis/pay/environments/one.json": { baseUrl: api.url, a: "1", n: 1, key: "c0mmitted" },
    "apis/pay/environments/one.secrets.env": "",
  })
  expect([exitCode, sent]).toEqual([0, 2])
  expect(stderr).toContain("(secret-committed)")
  expect(stderr).not.toContain("c0mmitted")
})

describe("a choice for an API that the workflow does not use", () => {
  it.each([
    [["--env", "pay=nope"], "env-missing"],
    [["--env", "nope=one"], "api-unknown"],
    [["--var", "pay.nope=1"], "variable-undeclared"],
  ])("%s is rejected if it names something that doesn't exist", async (words, code) => {
    const { exitCode, stderr, sent } = await run(`w ${words.join(" ")}`)
    expect([exitCode, sent]).toEqual([2, 0])
    expect(stderr).toContain(`(${code})`)
  })

  it("is accepted if it exists, whatever else is wrong there", async () => {
    const files = { "apis/pay/environments/two.json": "{", "apis/pay/openapi.json": "{" }
    expect((await run("w --env pay=one", files)).exitCode).toBe(0)
  })
})
