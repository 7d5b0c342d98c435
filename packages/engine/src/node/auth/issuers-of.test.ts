import { describe, expect, it } from "vitest"
import { isIssuer, issuersOf } from "./issuers-of.ts"

const document = "/.well-known/openid-configuration"

describe("the URL of a discovery document", () => {
  it.each([
    [`https://a.example${document}`, ["https://a.example"]],
    [`https://a.example/t/${document.slice(1)}`, ["https://a.example/t"]],
    [`https://a.example:8443/t${document}?x=1#y`, ["https://a.example:8443/t"]],
    [`https://bücher.example${document}`, ["https://bücher.example"]],
    ["https://a.example/.well-known/oauth-authorization-server/t", ["https://a.example/t"]],
    [
      `https://a.example${document}/t${document}`,
      [`https://a.example${document}/t`, `https://a.example/t${document}`],
    ],
    [`https://user:pass@a.example${document}`, []],
    [`https://a.example\\@b.example${document}`, []],
    [`https://${document}`, []],
    [`ftp://a.example${document}`, []],
    [`//a.example${document}`, []],
    [document, []],
    ["https://a.example/.well-known/openid-configurations", []],
    ["https://a.example", []],
    ["", []],
  ])("%s says the issuers %j", (url, issuers) => {
    expect(issuersOf(url)).toEqual(issuers)
  })
})

describe("an issuer", () => {
  it.each([
    undefined,
    null,
    1,
    {},
    ["https://a.example"],
    "",
    "https://a.example//",
    "https://A.example",
    "https://a.example/?",
  ])("is not a value that only resembles it: %j", (given) => {
    expect(isIssuer(given, ["https://a.example"])).toBe(false)
  })
})
