import { describe, expect, it } from "vitest"
import type { Parameter } from "../document/parameters.ts"
import { buildUrl, parsePathTemplate, readBaseUrl } from "./build-url.ts"
import { createWriter, type GivenParameter } from "./parameter-writer.ts"

const base = "https://api.example.com"
const parameter = (name: string, place: Parameter["in"], more: Partial<Parameter> = {}): Parameter => ({
  name,
  in: place,
  style: place === "query" ? "form" : "simple",
  explode: false,
  allowReserved: false,
  required: false,
  ...more,
})

interface Asked {
  readonly baseUrl?: string
  readonly path?: string
  readonly parameters?: readonly Parameter[]
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

function build({ baseUrl = base, path = "/", params = {}, query = {}, parameters = [] }: Asked): string {
  const given = (place: Parameter["in"], texts: Readonly<Record<string, string>>) =>
    new Map(
      Object.entries(texts).map(([name, text]): [string, GivenParameter] => {
        const described = parameters.find((one) => one.in === place && one.name === name)
        const writer = described === undefined ? undefined : createWriter(described)
        return [name, { text, writer }]
      }),
    )
  const read = readBaseUrl(baseUrl)
  if (!read.ok) return `refused: ${read.message}`
  const built = buildUrl({
    baseUrl: read.base,
    path: parsePathTemplate(path),
    pathParams: given("path", params),
    query: given("query", query),
  })
  return built.ok ? built.url : `${built.reason}: ${built.message}`
}

describe("the base URL", () => {
  it.each([
    ["https://a.b", "/c", "https://a.b/c"],
    ["https://a.b/", "/c", "https://a.b/c"],
    ["https://a.b//", "c", "https://a.b/c"],
    ["https://a.b/v1", "/c/", "https://a.b/v1/c/"],
    ["https://a.b/v1/", "/c", "https://a.b/v1/c"],
    ["https://a.b/v1?key=1", "/c", "https://a.b/v1/c?key=1"],
    ["HTTP://A.b:8080", "/", "HTTP://A.b:8080/"],
  ])("%s and %s give %s", (baseUrl, path, expected) => {
    expect(build({ baseUrl, path })).toBe(expected)
  })

  it("keeps its query before the queries of the path and the request", () => {
    expect(build({ baseUrl: `${base}/v1?a=1`, path: "/x?b=2", query: { c: "3" } })).toBe(
      `${base}/v1/x?a=1&b=2&c=3`,
    )
  })

  it.each([
    ["", /no base URL/],
    ["api.example.com", /is not an http or https URL/],
    ["/v1", /is not an http or https URL/],
    ["ftp://a.b", /is not an http or https URL/],
    ["http:a.b", /is not an http or https URL/],
    ["http:\\\\a.b", /is not an http or https URL/],
    ["https://a.b ", /starts or ends with a space/],
    ["https://a.b/\n", /starts or ends with a space/],
    ["https://a.b/#x", /fragment/],
  ])("%j is rejected and never quoted", (baseUrl, expected) => {
    const answer = build({ baseUrl })
    expect(answer).toMatch(/^refused: /)
    expect(answer).toMatch(expected)
    if (baseUrl.length > 1) expect(answer).not.toContain(baseUrl)
  })
})

describe("path parameters", () => {
  it.each([
    ["a/b", "a%2Fb"],
    ["a b?c#d%", "a%20b%3Fc%23d%25"],
    ["ü\u{1f600}", "%C3%BC%F0%9F%98%80"],
    ["!'()*", "%21%27%28%29%2A"],
    ["a.b~c-d_e", "a.b~c-d_e"],
    ["%2e", "%252e"],
    ["...", "..."],
    ["line\nbreak\u0000", "line%0Abreak%00"],
  ])("%j is one segment: %s", (value, expected) => {
    expect(build({ path: "/x/{id}/y", params: { id: value } })).toBe(`${base}/x/${expected}/y`)
  })

  it("are filled in wherever they occur", () => {
    expect(build({ path: "/{a}-{b}/{a}.json", params: { a: "1", b: "2" } })).toBe(`${base}/1-2/1.json`)
  })

  it("have the prefix of their style", () => {
    const parameters = [
      parameter("a", "path", { style: "label" }),
      parameter("b", "path", { style: "matrix" }),
    ]
    expect(build({ path: "/x{a}/y{b}", params: { a: "1", b: "2" }, parameters })).toBe(`${base}/x.1/y;b=2`)
  })

  it("are all listed if they are missing or empty", () => {
    expect(build({ path: "/{a}/{b}/{c}", params: { a: "1", b: "" } })).toBe(
      `path-param-missing: the path /{a}/{b}/{c} has no value for "b", "c"`,
    )
  })

  it.each([
    ["/{a}", { a: ".." }],
    ["/{a}", { a: "." }],
    ["/x{a}", { a: "." }],
    ["/{a}{b}", { a: ".", b: "." }],
    ["/.{a}", { a: "." }],
  ])("that form a dot segment of %s are rejected by name", (path, params) => {
    expect(build({ path, params })).toBe(
      `refused: the path parameter "a" must not result in a path segment "." or "..", which URLs drop`,
    )
  })

  it("with a lone surrogate are rejected by name", () => {
    expect(build({ path: "/{a}", params: { a: "secret\ud800" } })).toBe(
      `refused: the path parameter "a" contains an unpaired surrogate, which UTF-8 can't encode`,
    )
  })
})

describe("the path template", () => {
  it.each([
    ["/a b/ü", "/a%20b/%C3%BC"],
    ["/a%20b", "/a%20b"],
    ["/a\\b", "/a%5Cb"],
    ["/x#Action=List", "/x"],
    ["/users/me:activate", "/users/me:activate"],
  ])("%s is sent as %s", (path, expected) => {
    expect(build({ path })).toBe(base + expected)
  })
})

describe("query parameters", () => {
  it("are percent-encoded, names too, in the order given", () => {
    expect(build({ query: { "filter[a]": "x&y=z", q: "a b+c", empty: "", ü: "1" } })).toBe(
      `${base}/?filter%5Ba%5D=x%26y%3Dz&q=a%20b%2Bc&empty=&%C3%BC=1`,
    )
  })

  it("keep reserved characters if the document allows them, but never end the query", () => {
    const parameters = [parameter("q", "query", { allowReserved: true })]
    expect(build({ query: { q: "a:/?[]@!$&'()*+,;=#%41% ü", r: "/" }, parameters })).toBe(
      `${base}/?q=a:/?[]@!$&'()*+,;=%23%41%25%20%C3%BC&r=%2F`,
    )
  })

  it("keep line breaks and NUL", () => {
    const url = build({ query: { q: "a\r\n\t\u0000" } })
    expect(url).toBe(`${base}/?q=a%0D%0A%09%00`)
    expect(new URL(url).searchParams.get("q")).toBe("a\r\n\t\u0000")
  })

  it("with a lone surrogate are rejected by name", () => {
    expect(build({ query: { q: "\udc00" } })).toContain(`refused: the query parameter "q"`)
  })
})
