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

  it("are those of every scheme, be it one that nothing asks for", async () => {
    const schemes = { a: key("header", "X-Api-Key"), b: key("query", "apiKey"), c: key("cookie", "Session") }
    expect(await placesOf(schemes)).toEqual({
      headers: ["x-api-key"],
      query: ["apiKey"],
      cookies: ["Session"],
    })
  })

  it.each([{ type: "oauth2" }, { type: "http", scheme: "basic" }])(
    "are authorization for %j",
    async (scheme) => {
      expect(await placesOf({ a: scheme })).toEqual({ headers: ["authorization"], query: [], cookies: [] })
    },
  )

  it("are none without a scheme", async () => {
    expect(await placesOf({})).toEqual({ headers: [], query: [], cookies: [] })
  })
})

it.each([{ type: "openIdConnect" }, { type: "http", scheme: "digest" }, { type: "http", scheme: "Bearer" }])(
  "authorization is a place of credentials for %j",
  async (scheme) => {
    const document = await documentOf({ components: { securitySchemes: { a: scheme } } })
    expect([...credentialPlaces(document).headers]).toEqual(["authorization"])
  },
)

it("a scheme that stands elsewhere, as 3.2 has it, is a place of credentials where it is asked for", async () => {
  const security = [{ "#/components/x-schemes/key": [] }]
  const components = { "x-schemes": { key: key("header", "X-Key") } }
  const document = await documentOf({ version: "3.2", security, components })
  expect([...credentialPlaces(document).headers]).toEqual(["x-key"])
})
