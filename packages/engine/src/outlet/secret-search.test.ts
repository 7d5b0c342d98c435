import { describe, expect, it } from "vitest"
import { createSecretSearch } from "./secret-search.ts"

const secrets = Array.from({ length: 20 }, (_, index) => `hunter${index + 10}-Ä-password`)
const search = createSecretSearch(secrets)

describe("createSecretSearch", () => {
  it("tells which secret is where, in every encoding", () => {
    const encoded = (index: number): readonly string[] => {
      const secret = secrets[index] ?? ""
      return [secret, secret.toUpperCase(), encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
    }
    const texts = [
      ...encoded(3),
      ...encoded(19),
      Buffer.from(`user:${secrets[7]}`).toString("base64"),
      Buffer.from(secrets[8] ?? "").toString("hex"),
    ]
    const found = search(texts.join(" and "))
    expect(found.map(({ secret }) => secret)).toEqual([3, 3, 3, 3, 19, 19, 19, 19, 7, 8])
  })

  it("takes linear time for a text that contains an encoded secret thousands of times", () => {
    const text = `${encodeURIComponent(secrets.at(-1) ?? "")} `.repeat(2_000)
    expect(search(text)).toHaveLength(2_000)
  })
})
