import { describe, expect, it } from "vitest"
import { readOpenApi } from "./openapi.ts"

type Server = { readonly url: string; readonly description?: string }

const environments = (servers: readonly Server[], address?: string) =>
  readOpenApi({ openapi: "3.1.0", servers: servers.map((server) => ({ ...server })) }, "shop.json", address)
    .environments

const named = (servers: readonly Server[]) =>
  environments(servers).map(({ name, level }) => (level === undefined ? name : `${name} (${level})`))

describe("the environments of a document", () => {
  it.each<[readonly Server[], readonly string[]]>([
    [[{ url: "https://api.example.com" }], ["default"]],
    [[{ url: "http://localhost:8080/v1" }], ["local"]],
    [[{ url: "http://[::1]:8080" }], ["local"]],
    [[{ url: "https://staging.example.com" }], ["staging (staging)"]],
    [[{ url: "https://api.prod.example.com" }], ["production (production)"]],
    [
      [{ url: "https://api.example.com" }, { url: "http://127.0.0.1:4010" }],
      ["production (production)", "local"],
    ],
    [
      [{ url: "https://api.example.com" }, { url: "https://eu.example.com", description: "Live" }],
      ["default", "Live (production)"],
    ],
    [[{ url: "https://a.example.com", description: "Production server" }], ["production (production)"]],
    [[{ url: "https://a.example.com", description: "The staging environment." }], ["staging (staging)"]],
    [
      [
        { url: "https://eu.example.com", description: "Production EU" },
        { url: "https://us.example.com", description: "Production US" },
        { url: "https://box.example.com", description: "Sandbox" },
      ],
      ["Production EU (production)", "Production US (production)", "Sandbox"],
    ],
    [[{ url: "https://a.example.com", description: "Pre-production" }], ["Pre-production (staging)"]],
    [[{ url: "https://a.example.com", description: "x".repeat(41) }], ["default"]],
    [[{ url: "https://products.example.com", description: "Delivery" }], ["Delivery"]],
  ])("have the names that their servers have, and never a host: %j", (servers, names) => {
    expect(named(servers)).toEqual(names)
  })

  it.each<[readonly Server[], string]>([
    [[{ url: "/api/v3" }], "https://docs.example.com/api/v3"],
    [[{ url: "../v2/" }], "https://docs.example.com/v2"],
    [[], "https://docs.example.com"],
    [[{ url: "//api.example.com" }], "https://api.example.com"],
    [[{ url: "http://other.example.com/" }], "http://other.example.com"],
  ])("are relative to the address of the document: %j", (servers, url) => {
    const [environment] = environments(servers, "https://docs.example.com/spec/openapi.json?v=1")
    expect(environment?.variables).toEqual([{ name: "baseUrl", value: url }])
  })

  it("of Swagger are those of the address, too", () => {
    const read = (value: object, address?: string) =>
      readOpenApi({ swagger: "2.0", ...value }, "shop.json", address).environments.map(
        ({ variables }) => variables[0]?.value,
      )
    expect(read({ basePath: "/v1" }, "http://localhost:8080/swagger.json")).toEqual([
      "http://localhost:8080/v1",
    ])
    expect(read({ host: "a.example.com", basePath: "/v1" })).toEqual(["https://a.example.com/v1"])
    expect(read({ basePath: "/v1" })).toEqual([])
  })
})
