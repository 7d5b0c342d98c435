import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { namedCredentials, tokenCredentials } from "./guess-secrets.ts"

const random = "h7Kd93mQpZ20xTvB"

const found = (body: JsonValue, { status = 200, headers = {} } = {}): readonly (string | number | bigint)[] =>
  namedCredentials({ status, headers, body }).map(({ value }) => value)

describe("fields whose names say that they are credentials", () => {
  it.each([
    ["access_token", "abcd"],
    ["refresh_token", "with some words"],
    ["id_token", "a.b.c."],
    ["client_secret", "t0p-secret"],
    ["password", "kettle lantern"],
    ["api_key", "true-key"],
    ["apiKey", "Ünïcode"],
    ["password", 471_147],
    ["token", random],
    ["token", "0b8e9c1e-63bb-4c2f-8b56-2f0c9f6a1c11"],
    ["token", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."],
    ["token", 12_345_678_901_234_567_890n],
    ["session", random],
    ["sessionId", "3f2504e04f8911d39a0c0305e82c3301"],
    ["session_key", "Ab1+Cd2/Ef3=Gh4x"],
    ["sessionToken", "aVeryRandomTextOfLetters"],
  ])("%s: %s", (name, value) => {
    expect(found({ [name]: value })).toEqual([value])
    expect(found({ data: [{ user: { [name]: value, other: value } }] })).toEqual([value])
  })

  it("are found 100,000 levels deep", () => {
    let body: JsonValue = { password: "deep-s3cret" }
    for (let depth = 0; depth < 100_000; depth++) body = depth % 2 === 0 ? [body] : { in: body }
    expect(found(body)).toEqual(["deep-s3cret"])
  })

  it("are found in forms, headers and cookies", () => {
    const form = { headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" } }
    expect(found("access_token=a%20b+c&scope=all", form)).toEqual(["a b c"])
    const headers = {
      "access-token": "in-header",
      "set-cookie": [`session=${random}; Path=/`, "theme=dark-mode", "password = k3ttle ;Secure"],
      "x-session": random,
    }
    expect(found(null, { headers })).toEqual(["in-header", random, "k3ttle"])
  })
})

describe("fields that are not credentials", () => {
  it.each([
    ["password", "abc"],
    ["password", null],
    ["password", true],
    ["password", 0],
    ["password", "string"],
    ["password", "********"],
    ["password", "<hidden>"],
    ["password", "[REDACTED]"],
    ["password", ["is too short"]],
    ["password", { type: "string" }],
    ["passwordHint", "the name of the cat"],
    ["Password", "kettle-lantern"],
    ["nextToken", random],
    ["token", "page-2"],
    ["token", "the words of a sentence that has 2 digits"],
    ["sessionStart", "2026-11-28T10:00:00.000Z"],
    ["session_url", "https://shop.example/sessions/4711"],
    ["sessionName", "Opening keynote of 2026"],
    ["session", "winter-conference"],
    ["sessionCount", 12],
  ])("%s: %j", (name, value) => {
    expect(found({ [name]: value })).toEqual([])
  })

  it("include the messages of a failed validation", () => {
    const errors = { password: "must have a number", api_key: "required", client_secret: "t00-short" }
    expect(found({ errors }, { status: 422 })).toEqual(["t00-short"])
    expect(found({ errors: { token: random } }, { status: 400 })).toEqual([random])
  })

  it("include text that isn't a form", () => {
    expect(found("access_token=abcdef")).toEqual([])
  })
})

describe("an OAuth token response", () => {
  const headers = {}
  it("has its tokens", () => {
    const body = {
      access_token: "a",
      token_type: "bearer",
      refresh_token: "r",
      expires_in: 60,
      password: "p4ss",
    }
    expect(tokenCredentials({ status: 200, headers, body }).map(({ value }) => value)).toEqual(["a", "r"])
  })

  it("is recognized by its token type", () => {
    expect(tokenCredentials({ status: 200, headers, body: { access_token: "abcdef" } })).toEqual([])
    expect(
      tokenCredentials({ status: 200, headers, body: [{ access_token: "a", token_type: "b" }] }),
    ).toEqual([])
  })
})
