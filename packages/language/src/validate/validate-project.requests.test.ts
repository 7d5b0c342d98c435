import { describe, expect, it } from "vitest"
import { findingsOf, linesOf } from "../testing/project-of.ts"
import { create, expects, findings, shop } from "../testing/shop.ts"

const send = (operation: string, overrides: object = {}, id = "send") => ({
  id,
  type: "request",
  request: { api: "shop", operation, overrides },
})
const key = { params: { header: { "Idempotency-Key": "1" } } }
const refused = expects("send.response.status", "equals", 400)

describe("path parameters", () => {
  it("may come from a saved request, whose path may contain tokens", async () => {
    const requests = {
      "orders/one": { version: 1, operation: "getOrder", params: { path: { id: "1" } } },
      "orders/two": { version: 1, method: "GET", path: "/orders/{{size}}/{id}" },
    }
    const block = (instance: string, overrides: object = {}) => ({
      id: instance,
      type: "request",
      request: { api: "shop", instance, overrides },
    })
    const files = (...blocks: readonly unknown[]) => ({
      workflows: { w: { version: 1, blocks } },
      apis: { shop: { ...shop, requests } },
    })
    expect(await findingsOf(files(block("one"), block("two", { params: { path: { id: "1" } } })))).toEqual([])
    expect(await findingsOf(files(block("two")))).toEqual([expect.stringContaining('needs a value for "id"')])
  })
})

describe("parameters", () => {
  it("that are undocumented are warnings, but not parts of an object", async () => {
    const query = { pgae: "1", "filter[state]": "open" }
    expect(await findings(send("listOrders", { params: { query } }))).toEqual([
      `warning parameter-unknown: GET /orders doesn't document a query parameter "pgae" | did you mean "page"?`,
    ])
  })

  it("that are required are missed, unless a rejection is expected", async () => {
    const body = { sku: "A", quantity: 1 }
    expect(await findings(send("createOrder", { body }))).toEqual([
      expect.stringContaining(
        'warning parameter-missing: POST /orders requires the header "Idempotency-Key"',
      ),
    ])
    expect(await findings(send("createOrder", { body }), refused)).toEqual([])
  })
})

describe("bodies", () => {
  it("that match the document pass, tokens with the types of their values", async () => {
    const body = { sku: "{{create.response.body.id}}", quantity: "{{size}}", "address.city": "x", note: null }
    expect(await findings(create, send("createOrder", { ...key, body }))).toEqual([])
  })

  it("that the server should reject are checked only for misspelled names", async () => {
    const body = { sku: 1, quantiy: 1 }
    expect(await findings(send("createOrder", { body }), refused)).toEqual([
      expect.stringContaining("body-field-unknown"),
    ])
  })

  it("cannot be set inside a scalar, but inside a token", async () => {
    const requests = {
      "orders/new": {
        version: 1,
        operation: "createOrder",
        ...key,
        body: { sku: "A", quantity: 1, address: "{{size}}" },
      },
    }
    const files = (path: string) => ({
      workflows: {
        w: {
          version: 1,
          blocks: [
            {
              id: "send",
              type: "request",
              request: { api: "shop", instance: "new", overrides: { body: { [path]: "x" } } },
            },
          ],
        },
      },
      apis: { shop: { ...shop, requests } },
    })
    expect(await findingsOf(files("sku.part"))).toEqual([
      `error path-unresolved: overrides.body: "sku.part" can't be set: "sku" is a string, so it can't have a property "part"`,
    ])
    expect(await findingsOf(files("address.city"))).toEqual([])
  })
})

describe("a problem in a saved request", () => {
  it("is reported once at its own file, and in overrides at the block", async () => {
    const requests = {
      "orders/new": {
        version: 1,
        operation: "createOrder",
        ...key,
        body: { sku: "A", quantiy: 1, speed: "slow" },
      },
    }
    const block = (id: string, body: object) => ({
      id,
      type: "request",
      request: { api: "shop", instance: "new", overrides: { body } },
    })
    const found = await linesOf({
      workflows: { w: { version: 1, blocks: [block("a", {}), block("b", { speed: "fsat" })] } },
      apis: { shop: { ...shop, requests } },
    })
    expect(found).toEqual([
      expect.stringMatching(
        /^apis\/shop\/requests\/orders\/new\.json:9:11: the body is missing the required field "quantity"/,
      ),
      expect.stringMatching(
        /^apis\/shop\/requests\/orders\/new\.json:11:5: the contract doesn't document a field "quantiy" in the body/,
      ),
      expect.stringMatching(
        /^apis\/workflow\/w\.json:\d+:\d+: the field "speed" is "fsat"; the contract documents only/,
      ),
    ])
  })

  it("is reported at the array item, if an override changes another part", async () => {
    const body = { sku: "A", quantity: 1, address: { city: "x" }, tags: ["a", 1] }
    const requests = { "orders/new": { version: 1, operation: "createOrder", ...key, body } }
    const block = {
      id: "send",
      type: "request",
      request: { api: "shop", instance: "new", overrides: { body: { "tags.0": "b" } } },
    }
    const found = await linesOf({
      workflows: { w: { version: 1, blocks: [block] } },
      apis: { shop: { ...shop, requests } },
    })
    expect(found).toEqual([
      expect.stringMatching(
        /^apis\/shop\/requests\/orders\/new\.json:17:7: the field "tags\[1\]" is a number/,
      ),
    ])
  })
})

describe("tokens of saved requests", () => {
  const files = (...blocks: readonly unknown[]) => ({
    workflows: { w: { version: 1, blocks } },
    apis: {
      shop: {
        ...shop,
        requests: {
          "orders/one": {
            version: 1,
            operation: "getOrder",
            params: { path: { id: "{{create.response.body.idd}}" } },
          },
        },
      },
    },
  })
  const one = { id: "one", type: "request", request: { api: "shop", instance: "one" } }

  it("resolve in the block that sends the request, and are reported at their own file", async () => {
    expect(await findingsOf(files(create, one))).toEqual([
      expect.stringMatching(
        /^warning token-unresolved: params\.path\.id: .*"idd" \(sent by "one" of the workflow "w"\) \| did you mean "id"\?$/,
      ),
    ])
    expect(await findingsOf(files(one))).toEqual([expect.stringContaining('nothing is named "create" here')])
  })

  it("are not reported if an override replaces them", async () => {
    const replaced = { ...one, request: { ...one.request, overrides: { params: { path: { id: "1" } } } } }
    expect(await findingsOf(files(replaced))).toEqual([])
  })
})
