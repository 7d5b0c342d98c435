import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { operationOf } from "../testing/document-of.ts"
import { serverUrl } from "./server-url.ts"

describe.each(["3.0", "3.1", "3.2"] as const)("the server of OpenAPI %s", (version) => {
  const servers = (url: string, variables?: JsonObject) => ({
    servers: [{ url, ...(variables === undefined ? {} : { variables }) }, { url: "http://second" }],
  })

  it("is the operation's, or the path's, or the document's", async () => {
    const root = servers("http://root")
    const item = servers("http://item")
    const all = await operationOf(servers("http://own"), { version, item, ...root })
    const two = await operationOf({ servers: [] }, { version, item, ...root })
    const one = await operationOf({}, { version, ...root })
    expect(serverUrl(all.document, all.operation)).toBe("http://own")
    expect(serverUrl(two.document, two.operation)).toBe("http://item")
    expect(serverUrl(one.document, one.operation)).toBe("http://root")
    expect(serverUrl(all.document)).toBe("http://root")
  })

  it.each([
    [
      "https://{host}:{port}/v1",
      { host: { default: "a.b" }, port: { default: 8443 } },
      "https://a.b:8443/v1",
    ],
    ["https://{host}/v1", {}, undefined],
    ["{scheme}://a.b", { scheme: { default: "http" } }, "http://a.b"],
    ["/v1", {}, undefined],
    ["./", {}, undefined],
    ["//a.b", {}, undefined],
  ])("%s with %j is %s", async (url, variables, expected) => {
    const { document, operation } = await operationOf({}, { version, ...servers(url, variables) })
    expect(serverUrl(document, operation)).toBe(expected)
  })

  it("is undefined if none is stated", async () => {
    const { document, operation } = await operationOf({}, { version })
    expect(serverUrl(document, operation)).toBeUndefined()
  })
})
