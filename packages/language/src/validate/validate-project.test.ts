import { describe, expect, it } from "vitest"
import { findingsOf, linesOf, projectOf } from "../testing/project-of.ts"
import { expects, get, list, shop } from "../testing/shop.ts"
import { validateProject } from "./validate-project.ts"

const workflow = (...blocks: readonly unknown[]) => ({ version: 1, blocks })
const environments = shop.environments ?? {}

describe("validateProject", () => {
  it("finds nothing in a valid project, and all problems of an invalid one by file and line", async () => {
    expect(await findingsOf({ workflows: { w: workflow(list) }, apis: { shop } })).toEqual([])
    expect(
      await linesOf({
        workflows: { b: workflow(get("a", "{{x}}")), a: workflow({ id: "s", type: "group" }) },
        apis: {
          shop: {
            ...shop,
            environments: { ...environments, "local.json": { baseUrl: "http://x", szie: 1 } },
          },
        },
      }),
    ).toEqual([
      expect.stringMatching(/^apis\/shop\/environments\/local\.json:3:3: .*\(variable-undeclared\)$/),
      expect.stringMatching(/^apis\/workflow\/a\.json:4:5: .*\(field-missing\)$/),
      expect.stringMatching(/^apis\/workflow\/b\.json:13:22: .*\(token-unresolved\)$/),
    ])
  })

  it("yields after each API and each workflow, and stops if that throws", async () => {
    const project = projectOf({ workflows: { a: workflow(list), b: workflow(list) }, apis: { shop } })
    const describe = () => Promise.reject(new Error("missing scripts"))
    let times = 0
    const giveWay = async () => void times++
    expect(await validateProject({ project, describe, giveWay })).toEqual([])
    expect(times).toBe(3)
    const stop = () => Promise.reject(new Error("enough"))
    await expect(validateProject({ project, describe, giveWay: stop })).rejects.toThrow("enough")
  })

  it("warns about required variables without a value, except secrets and environments that others extend", async () => {
    const files = {
      "schema.json": environments["schema.json"],
      "base.json": {},
      "child.json": { extends: "base" },
    }
    expect(await findingsOf({ workflows: {}, apis: { shop: { environments: files } } })).toEqual([
      expect.stringMatching(
        /^warning variable-missing: the environment "child" has no value for the required variable "baseUrl"/,
      ),
    ])
    const orphan = { ...files, "child.json": { extends: "bsae" } }
    expect(await findingsOf({ workflows: {}, apis: { shop: { environments: orphan } } })).toEqual([
      expect.stringMatching(/^warning variable-missing: the environment "base"/),
      expect.stringMatching(/^error extends-missing/),
    ])
    const inherited = { ...files, "base.json": { baseUrl: "http://x" } }
    expect(await findingsOf({ workflows: {}, apis: { shop: { environments: inherited } } })).toEqual([])
  })

  const addressOf = (document: object, own: object = {}) =>
    findingsOf({
      workflows: {},
      apis: {
        shop: {
          document: { info: { title: "Shop", version: "1" }, paths: {}, ...document },
          environments: { "schema.json": { version: 1, variables: {} }, "local.json": {}, ...own },
        },
      },
    })

  it.each([
    [{ openapi: "3.1.0" }],
    [{ openapi: "3.0.3", servers: [] }],
    [{ openapi: "3.0.3", servers: [{ url: "/v1" }] }],
    [{ openapi: "3.1.0", servers: [{ url: "https://{region}.shop.example" }] }],
    [{ openapi: "3.1.0", servers: [{ url: "wss://shop.example" }] }],
    [{ swagger: "2.0", basePath: "/v1" }],
  ])("warns that nothing can set a base URL for the document %j", async (document) => {
    expect(await addressOf(document)).toContainEqual(
      'warning variable-missing: the environment "local" has no base URL: the document has no server that callsheet can use, and "baseUrl" is not declared | declare "baseUrl" in apis/shop/environments/schema.json and set it',
    )
  })

  it("doesn't miss a base URL that a server, an operation or a variable has", async () => {
    const ofOperation = {
      openapi: "3.1.0",
      paths: {
        "/a": { get: { servers: [{ url: "https://a.example" }], responses: { 200: { description: "" } } } },
      },
    }
    const declared = {
      "schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: false, secret: true } },
      },
    }
    const noAddress = expect.stringContaining("has no base URL")
    expect(await addressOf({ openapi: "3.1.0", servers: [{ url: "https://a.example" }] })).toEqual([])
    expect(await addressOf(ofOperation)).not.toContainEqual(noAddress)
    expect(await addressOf({ openapi: "3.1.0" }, declared)).not.toContainEqual(noAddress)
  })

  it.each([
    ["shop.example", "is not an http or https URL"],
    ["http://{{host}}", "contains a placeholder, which environment files can't have"],
    ["http://{{env.shop.host}}:80/v1", "contains a placeholder, which environment files can't have"],
    ["{{host}}", "contains a placeholder, which environment files can't have"],
    ["https://shop.example/{{version}}", "contains a placeholder, which environment files can't have"],
    ["https://{host}/v1", "contains a placeholder, which environment files can't have"],
    ["https://${HOST}/v1", "contains a placeholder, which environment files can't have"],
    ["http://shop.example/#top", "has a fragment (#), which is never sent"],
    ["http://shop.example ", "starts or ends with a space or a line break"],
    ["http://shop.example/a b", "contains spaces or control characters"],
    ["http://", "is not an http or https URL"],
  ])("rejects the base URL %j in each file that may set it", async (baseUrl, fault) => {
    const declared = (declaration: object) => ({
      version: 1,
      variables: { baseUrl: { type: "string", required: true, ...declaration } },
    })
    const places = {
      "local.json": { "schema.json": declared({}), "local.json": { baseUrl } },
      "local.secrets.env": {
        "schema.json": declared({ secret: true }),
        "local.json": { level: "local" },
        "local.secrets.env": `# mine\nbaseUrl="${baseUrl}"\n`,
      },
      "schema.json": { "schema.json": declared({ default: baseUrl }), "local.json": {} },
    }
    for (const environments of Object.values(places))
      expect(await findingsOf({ workflows: {}, apis: { shop: { environments } } })).toEqual([
        expect.stringContaining(`error variable-type: "baseUrl" ${fault}`),
      ])
  })

  it("warns about empty checks and about defaults of another type", async () => {
    const found = await findingsOf({
      workflows: {
        w: {
          version: 1,
          inputs: { n: { type: "number", default: "1" } },
          blocks: [
            { id: "a", type: "assert", assertions: [] },
            { id: "t", type: "transform", transforms: {} },
          ],
        },
      },
    })
    expect(found).toEqual([
      expect.stringMatching(/^warning input-type: the default of "n" is not a number/),
      expect.stringMatching(/^warning field-value: "assertions" is empty/),
      expect.stringMatching(/^warning field-value: "transforms" is empty/),
    ])
  })

  it("checks saved requests on their own, and reports each problem once", async () => {
    const requests = {
      "orders/one": { version: 1, operation: "getOrdr" },
      "orders/two": { version: 1, method: "get", path: "/ordrs" },
      "orders/three": { version: 1, method: "GET", path: "/elsewhere" },
      "orders/four": { version: 1, method: "PUT", path: "/orders" },
    }
    const one = (id: string) => ({ id, type: "request", request: { api: "shop", instance: "one" } })
    const found = await linesOf({
      workflows: { w: workflow(one("a"), one("b"), expects("a.response.body.anything", "exists")) },
      apis: { shop: { ...shop, requests } },
    })
    expect(found).toEqual([
      expect.stringMatching(
        /^apis\/shop\/requests\/orders\/one\.json:3:16: .*"getOrdr" \(operation-unknown\)$/,
      ),
      expect.stringMatching(
        /^apis\/shop\/requests\/orders\/two\.json:4:11: the document has no operation GET \/ordrs \(operation-unknown\)$/,
      ),
    ])
  })

  it("finds missing files of saved requests", async () => {
    const requests = {
      "files/one": { version: 1, method: "POST", path: "/files", bodyType: "file", body: "../x.pdf" },
      "files/two": {
        version: 1,
        method: "POST",
        path: "/files",
        bodyType: "multipart",
        body: { a: { file: "there/x" }, b: [{ file: "gone" }, "text", { file: "{{name}}" }] },
      },
    }
    expect(await findingsOf({ workflows: {}, apis: { shop: { ...shop, requests } } })).toEqual([
      "error link-outside: it is outside",
      "warning file-unreadable: it is not there",
    ])
  })
})
