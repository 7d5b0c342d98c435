import { expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { describeVersions, documentOf, operationOf } from "../testing/document-of.ts"
import { credentialPlaces, securityOf } from "./security.ts"

describeVersions("the security of an operation", (version, as) => {
  const securitySchemes = {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    query: { type: "apiKey", in: "query", name: "api_key" },
    basic: { type: "http", scheme: "BASIC" },
    token: { type: "http", scheme: "bearer" },
    digest: { type: "http", scheme: "digest" },
    oauth: { type: "oauth2", flows: {} },
    oidc: { type: "openIdConnect", openIdConnectUrl: "http://a" },
    mutual: { type: "mutualTLS" },
    odd: { type: "apiKey", in: "body", name: "x" },
    linked: { $ref: "#/components/securitySchemes/token" },
  }
  const schemesOf = async (get: JsonObject, security: readonly JsonObject[] = []) => {
    const { operation } = await operationOf(get, { version, as, security, components: { securitySchemes } })
    return securityOf(operation).map((all) => all.map(({ name, kind }) => `${name} ${kind}`))
  }

  it("is the operation's, or the document's", async () => {
    expect(await schemesOf({}, [{ key: [] }])).toEqual([["key apiKey"]])
    expect(await schemesOf({ security: [{ basic: [] }] }, [{ key: [] }])).toEqual([["basic basic"]])
    expect(await schemesOf({ security: [] }, [{ key: [] }])).toEqual([])
  })

  it("is a list of alternatives, and each may need several schemes", async () => {
    expect(await schemesOf({ security: [{ key: [], token: [] }, { oauth: ["a"] }, {}] })).toEqual([
      ["key apiKey", "token bearer"],
      ["oauth bearer"],
      [],
    ])
  })

  it.each([
    ["basic", "basic"],
    ["token", "bearer"],
    ["oauth", "bearer"],
    ["oidc", "bearer"],
    ["linked", "bearer"],
    ["digest", "digest"],
    ["mutual", "unsupported"],
    ["odd", "unsupported"],
    ["gone", "unsupported"],
    ["constructor", "unsupported"],
  ])("reads %s as %s", async (name, kind) => {
    expect(await schemesOf({ security: [{ [name]: [] }] })).toEqual([[`${name} ${kind}`]])
  })

  it("may be a reference from 3.2 on, with component names first", async () => {
    const reference = "#/components/securitySchemes/token"
    expect(await schemesOf({ security: [{ [reference]: [], key: [] }, { "#/nowhere": [] }] })).toEqual(
      version === "3.2"
        ? [["token bearer", "key apiKey"], ["#/nowhere unsupported"]]
        : [[`${reference} unsupported`, "key apiKey"], ["#/nowhere unsupported"]],
    )
  })

  it.each(["key", "query"])("states where an API key goes: %s", async (name) => {
    const security = [{ [name]: [] }]
    const { operation } = await operationOf({ security }, { version, as, components: { securitySchemes } })
    const { in: place, name: parameter } = securitySchemes[name as "key" | "query"]
    expect(securityOf(operation)).toEqual([[{ kind: "apiKey", name, in: place, parameter }]])
  })
})

const key = (place: string, name: string) => ({ type: "apiKey", in: place, name })

describeVersions("the places of credentials", (version, as) => {
  const placesOf = async (securitySchemes: Record<string, Record<string, string>>) => {
    const { headers, query, cookies } = credentialPlaces(
      await documentOf({ version, as, components: { securitySchemes }, paths: {} }),
    )
    return { headers: [...headers], query: [...query], cookies: [...cookies] }
  }

  it("include those of every scheme, even one that no operation requires", async () => {
    const schemes = { a: key("header", "X-Api-Key"), b: key("query", "apiKey"), c: key("cookie", "Session") }
    expect(await placesOf(schemes)).toEqual({
      headers: ["x-api-key"],
      query: ["apiKey"],
      cookies: ["Session"],
    })
  })

  it.each([{ type: "oauth2" }, { type: "http", scheme: "basic" }])(
    "include authorization for %j",
    async (scheme) => {
      expect(await placesOf({ a: scheme })).toEqual({ headers: ["authorization"], query: [], cookies: [] })
    },
  )

  it("are empty without a scheme", async () => {
    expect(await placesOf({})).toEqual({ headers: [], query: [], cookies: [] })
  })
})

it.each([{ type: "openIdConnect" }, { type: "http", scheme: "digest" }, { type: "http", scheme: "Bearer" }])(
  "authorization carries credentials for %j",
  async (scheme) => {
    const document = await documentOf({ components: { securitySchemes: { a: scheme } } })
    expect([...credentialPlaces(document).headers]).toEqual(["authorization"])
  },
)

it("a scheme defined elsewhere, as in 3.2, carries credentials where it is required", async () => {
  const security = [{ "#/components/x-schemes/key": [] }]
  const components = { "x-schemes": { key: key("header", "X-Key") } }
  const document = await documentOf({ version: "3.2", security, components })
  expect([...credentialPlaces(document).headers]).toEqual(["x-key"])
})
