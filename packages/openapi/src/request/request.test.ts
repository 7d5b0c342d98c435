import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { findOperation } from "../document/operations.ts"
import { bodyKindOf, requestMediaType } from "../document/content.ts"
import { parametersOf } from "../document/parameters.ts"
import { securityOf } from "../document/security.ts"
import { serverUrl } from "../document/server-url.ts"
import { describeVersions, documentOf } from "../testing/document-of.ts"

describeVersions("the request description of a document", (version, as) => {
  async function operationOf(
    get: JsonObject,
    more: { readonly item?: JsonObject; readonly root?: JsonObject } = {},
  ) {
    const paths = { "/a": { ...more.item, get: { operationId: "a", ...get } } }
    const document = await documentOf({ version, as, paths, ...more.root })
    const found = findOperation(document, { operation: "a" })
    if (found.status !== "found") throw new Error(found.message)
    return { document, operation: found.operation }
  }

  describe("its parameters", () => {
    it("are those of the path and the operation, where the operation's win", async () => {
      const { operation } = await operationOf(
        {
          parameters: [
            { name: "q", in: "query", allowReserved: true },
            { $ref: "#/components/parameters/P" },
          ],
        },
        {
          item: {
            parameters: [
              { name: "q", in: "query" },
              { name: "q", in: "header" },
              { name: "id", in: "path" },
            ],
          },
          root: { components: { parameters: { P: { name: "p", in: "query", style: "pipeDelimited" } } } },
        },
      )
      expect(
        parametersOf(operation).map((parameter) => [
          parameter.in,
          parameter.name,
          parameter.style,
          parameter.explode,
          parameter.allowReserved,
          parameter.required,
        ]),
      ).toEqual([
        ["query", "q", "form", version !== "2.0", true, false],
        ["header", "q", "simple", false, false, false],
        ["path", "id", "simple", false, false, true],
        ["query", "p", "pipeDelimited", false, false, false],
      ])
    })

    it("skip what is not a parameter", async () => {
      const parameters = [
        { $ref: "#/components/parameters/Gone" },
        { name: "x", in: "constructor" },
        { in: "query" },
        3,
      ]
      const { operation } = await operationOf({ parameters })
      expect(parametersOf(operation)).toEqual([])
    })
  })

  describe("its media type", () => {
    it.each([
      [
        ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded", "application/vnd.a+json"],
        "application/vnd.a+json",
      ],
      [
        ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"],
        "application/x-www-form-urlencoded",
      ],
      [["text/plain", "multipart/form-data"], "multipart/form-data"],
      [["application/octet-stream", "application/xml"], "application/xml"],
      [["application/json; charset=utf-8"], "application/json; charset=utf-8"],
      [["*/*"], "application/json"],
      [["text/*"], "text/plain"],
      [["image/png"], undefined],
      [["image/*"], undefined],
      [["image/*", "application/*+json"], "application/json"],
      [["multipart/*"], "multipart/form-data"],
      [["application/octet-stream", "application/x-ndjson"], "application/x-ndjson"],
    ])("of %j is %s", async (types, expected) => {
      const content = Object.fromEntries(types.map((type) => [type, {}]))
      const { operation } = await operationOf(
        { requestBody: { $ref: "#/components/requestBodies/B" } },
        { root: { components: { requestBodies: { B: { content } } } } },
      )
      expect(requestMediaType(operation)?.mediaType).toBe(expected)
    })

    it("is undefined without a request body", async () => {
      const { operation } = await operationOf({})
      expect(requestMediaType(operation)).toBeUndefined()
    })
  })

  // 2.0 can't express this.
  if (version !== "2.0")
    describe("its server", () => {
      const servers = (url: string, variables?: JsonObject) => ({
        servers: [{ url, ...(variables === undefined ? {} : { variables }) }, { url: "http://second" }],
      })

      it("is the operation's, or the path's, or the document's", async () => {
        const root = servers("http://root")
        const item = servers("http://item")
        const all = await operationOf(servers("http://own"), { item, root })
        const two = await operationOf({ servers: [] }, { item, root })
        const one = await operationOf({}, { root })
        expect(serverUrl(all.document, all.operation)).toBe("http://own")
        expect(serverUrl(two.document, two.operation)).toBe("http://item")
        expect(serverUrl(one.document, one.operation)).toBe("http://root")
        expect(serverUrl(all.document)).toBe("http://root")
      })

      it.each([
        [
          "https://{host}:{port}/v1",
          { host: { default: "a.b" }, port: { default: 8443 } },
          "https://a.b:8443/v1",
        ],
        ["https://{host}/v1", {}, undefined],
        ["{scheme}://a.b", { scheme: { default: "http" } }, "http://a.b"],
        ["/v1", {}, undefined],
        ["./", {}, undefined],
        ["//a.b", {}, undefined],
      ])("%s with %j is %s", async (url, variables, expected) => {
        const { document, operation } = await operationOf({}, { root: servers(url, variables) })
        expect(serverUrl(document, operation)).toBe(expected)
      })

      it("is undefined if none is stated", async () => {
        const { document, operation } = await operationOf({})
        expect(serverUrl(document, operation)).toBeUndefined()
      })
    })

  describe("its security", () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      basic: { type: "http", scheme: "BASIC" },
      token: { type: "http", scheme: "bearer" },
      digest: { type: "http", scheme: "digest" },
      oauth: { type: "oauth2", flows: {} },
      oidc: { type: "openIdConnect", openIdConnectUrl: "http://a" },
      odd: { type: "apiKey", in: "body", name: "x" },
      linked: { $ref: "#/components/securitySchemes/token" },
    }
    const schemesOf = async (get: JsonObject, security: readonly JsonObject[] = []) => {
      const { operation } = await operationOf(get, {
        root: { security, components: { securitySchemes } },
      })
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

    it("states where an API key goes", async () => {
      const { operation } = await operationOf(
        { security: [{ key: [] }] },
        { root: { components: { securitySchemes } } },
      )
      expect(securityOf(operation)).toEqual([
        [{ kind: "apiKey", name: "key", in: "header", parameter: "X-Key" }],
      ])
    })
  })
})

it.each([
  ["application/json", "json"],
  ["Application/Problem+JSON; charset=utf-8", "json"],
  ["text/json", "json"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data; boundary=x", "multipart"],
  ["text/csv", "text"],
  ["application/xml", "text"],
  ["application/atom+xml", "text"],
  ["application/yaml", "text"],
  ["application/openapi+yaml", "text"],
  ["application/x-ndjson", "text"],
  ["application/graphql", "text"],
  ["application/octet-stream", undefined],
  ["application/jsonp", undefined],
])("a body of %s is %s", (mediaType, kind) => {
  expect(bodyKindOf(mediaType)).toBe(kind)
})
