import { expect, it } from "vitest"
import { describeVersions, documentOf } from "../testing/document-of.ts"
import { credentialPlaces } from "./security.ts"

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
