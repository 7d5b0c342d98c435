import { describe, expect, it } from "vitest"
import { hideUrlCredentials, urlCredentials } from "./url-credentials.ts"

describe("the user information of a URL", () => {
  it.each<[string, readonly string[], string]>([
    ["http://us:p%40ss@host/a", ["us:p@ss", "p@ss", btoa("us:p@ss")], "http://***@host/a"],
    ["https://token@host", ["token", btoa("token")], "https://***@host"],
    ["https://us:@host", ["us:", btoa("us:")], "https://***@host"],
    ["//us:pw@host/v1", ["us:pw", "pw", btoa("us:pw")], "//***@host/v1"],
    ["ftp://us:a%zz@host", ["us:a%zz", "a%zz", btoa("us:a%zz")], "ftp://***@host"],
    ["http://host/a@b?c=d:e@f", [], "http://host/a@b?c=d:e@f"],
    ["http://@host", [], "http://@host"],
    ["us:pw@host", [], "us:pw@host"],
  ])("%s is a credential", (url, credentials, hidden) => {
    expect(urlCredentials(url)).toEqual(credentials)
    expect(hideUrlCredentials(url)).toBe(hidden)
  })
})
