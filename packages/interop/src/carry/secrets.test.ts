import { describe, expect, it } from "vitest"
import { Secrets, type CreateSearch } from "./secrets.ts"

const createSearch: CreateSearch = (secrets) => (text) =>
  secrets.flatMap((value, secret) => {
    const from = text.indexOf(value)
    return from === -1 ? [] : [{ from, to: from + value.length, secret }]
  })

const knows = (value: string): boolean =>
  new Secrets([{ value, holder: { is: "project", api: "shop", name: "token" } }], createSearch).has(
    `a ${value}`,
  )

describe("Secrets", () => {
  it.each(["dXNlcjpwYXNzd29yZDE=", "c2VjcmV0LXRva2Vu.x=", "dXNlcjpwYXNzd29yZA==", "aB3=dE5fG7hJ9"])(
    "replaces %s, although it has an equals sign",
    (value) => expect(knows(value)).toBe(true),
  )

  it.each(["locale=de", "locale=", "theme=1", "password"])(
    "keeps %s, which collections contain anyway",
    (value) => expect(knows(value)).toBe(false),
  )
})
