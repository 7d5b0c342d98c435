import { describe, expect, it } from "vitest"
import { proxyFor, readProxies } from "./proxy.ts"

const environment = { http_proxy: "http://proxy.example:3128", HTTPS_PROXY: "proxy.example" }

const isProxied = (url: string, noProxy: string): boolean => {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === "https:"
  const server = {
    secure,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
  }
  return proxyFor(server, readProxies({ ...environment, NO_PROXY: noProxy })) !== undefined
}

describe("NO_PROXY", () => {
  it.each([
    ["http://api.example/", "", true],
    ["http://api.example/", "*", false],
    ["http://api.example/", "api.example", false],
    ["http://API.example/", "other, API.EXAMPLE", false],
    ["http://v1.api.example/", "api.example", false],
    ["http://v1.api.example/", ".api.example", false],
    ["http://v1.api.example/", "*.api.example", false],
    ["http://notapi.example/", "api.example", true],
    ["http://api.example:8080/", "api.example:8080", false],
    ["http://api.example/", "api.example:8080", true],
    ["https://api.example/", "api.example:443", false],
    ["http://10.0.0.1/", "10.0.0.1", false],
    ["http://[2001:db8::1]/", "2001:db8::1", false],
    ["http://[2001:db8::1]:81/", "[2001:db8::1]:81", false],
    ["http://api.example/", ",, ,", true],
    ["http://127.0.0.1/", "", false],
    ["http://127.9.9.9/", "", false],
    ["http://localhost/", "", false],
    ["http://api.localhost/", "", false],
    ["http://[::1]/", "", false],
    ["http://localhost.example/", "", true],
    ["http://localhost./", "", false],
    ["http://a.b.localhost/", "", false],
    ["http://notlocalhost/", "", true],
    ["http://10.9.8.7/", "10.0.0.0/8", false],
    ["http://11.9.8.7/", "10.0.0.0/8", true],
    ["http://10.9.8.7/", "10.1.2.3/8", false],
    ["http://192.168.1.77/", "192.168.1.64/26", false],
    ["http://192.168.1.63/", "192.168.1.64/26", true],
    ["http://8.8.8.8/", "0.0.0.0/0", false],
    ["http://10.0.0.1/", "10.0.0.1/32", false],
    ["http://10.0.0.1:8080/", "10.0.0.0/8:8080", false],
    ["http://10.0.0.1:8081/", "10.0.0.0/8:8080", true],
    ["http://10.0.0.1/", "10.0.0.0/33", true],
    ["http://10.0.0.1/", "10.0.0.0/x", true],
    ["http://10.0.0.1/", "10.0.0.0/", true],
    ["http://[fd12::1]/", "fc00::/7", false],
    ["http://[fe80::1]/", "fc00::/7", true],
    ["http://[fd12::1]:81/", "[fc00::]/7:81", false],
    ["http://[fd12::1]:82/", "[fc00::/7]:81", true],
    ["http://[2001:db8::1]/", "2001:0DB8:0:0::1", false],
    ["http://[2001:db8::1]/", "2001:db8::/129", true],
    ["http://api.example/", "10.0.0.0/8 fc00::/7\tapi.example", false],
    ["http://api.example/", " api.example ", false],
    ["http://api.example./", "api.example", false],
    ["http://v1.api.example/", "api.example.", false],
    ["http://b\u00fccher.example/", "b\u00fccher.example", false],
    ["http://api.example/", "*:80", false],
    ["http://api.example/", "*:81", true],
    ["http://api.example/", "other,*", false],
    ["http://api.example/", "example/8", true],
    ["http://10.0.0.1.example/", "10.0.0.0/8", true],
  ])("%s with %j: proxied is %s", (url, noProxy, expected) => {
    expect(isProxied(url, noProxy)).toBe(expected)
  })
})

describe("a proxy variable", () => {
  it("is read in lowercase first, and an empty one counts as not set", () => {
    const proxies = readProxies({
      http_proxy: "",
      HTTP_PROXY: "http://upper",
      https_proxy: "http://lower",
      HTTPS_PROXY: "x",
    })
    expect(proxies.http).toMatchObject({ host: "upper", port: 80 })
    expect(proxies.https).toMatchObject({ host: "lower", port: 80 })
  })

  it("may leave out the scheme", () => {
    expect(readProxies({ http_proxy: "proxy.example:3128" }).http).toMatchObject({
      host: "proxy.example",
      port: 3128,
      secure: false,
    })
  })
})
