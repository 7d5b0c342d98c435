import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const json = (raw: object) => ({
  body: { mode: "raw", raw: JSON.stringify(raw), options: { raw: { language: "json" } } },
})

const form = (fields: Readonly<Record<string, string>>) => ({
  body: {
    mode: "urlencoded",
    urlencoded: Object.entries(fields).map(([key, value]) => ({ key, value })),
  },
})

const collection = (url: string) => ({
  info: {
    name: "Shop",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  item: [
    {
      name: "Pay",
      request: {
        method: "POST",
        url: `{{baseUrl}}/pay?api_key=YOUR_API_KEY&cvc=737&card_cvc={{cvv}}`,
        ...json({ number: "4111111111111111", cvc: "737", token: "YOUR_DONATION_TOKEN", code: "{{cvv}}" }),
      },
    },
    {
      name: "Sign in",
      request: {
        method: "POST",
        url: "{{baseUrl}}/sign-in",
        header: [{ key: "X-Trace", value: `ghp_${"aB3".repeat(12)}` }],
        ...form({ cvv: "1234", password: "hunter2-shop", session_token: "9f86d081884c7d659a2feaa0c55ad015" }),
      },
    },
  ],
  variable: [
    { key: "baseUrl", value: url },
    { key: "cvv", value: "321" },
    { key: "apiSecret", value: "YOUR_SECRET" },
    { key: "marked", value: "marked-4711", type: "secret" },
  ],
})

describe("a value with the name of a secret", () => {
  it("stays in the committed file if it is a sample, so that a clone without secrets files sends it", async () => {
    const api = await startApi({ "*": { body: {} } })
    const root = await folderWith({ "shop.json": collection(api.url) })
    const { stdout } = await callsheet(["import", "shop.json", "--into", "shop"], { folder: root })
    const texts = Object.entries(await textsIn(`${root}/shop`))
    const secret = texts.filter(([file]) => file.endsWith(".secrets.env"))
    const kept = texts
      .filter(([file]) => !file.endsWith(".secrets.env"))
      .map(([, text]) => text)
      .join("")
    for (const sample of ['"cvc": "737"', '"cvv": "1234"', "YOUR_DONATION_TOKEN", "321"])
      expect(kept).toContain(sample)
    const secrets = [
      "hunter2-shop",
      "9f86d081884c7d659a2feaa0c55ad015",
      "ghp_",
      "YOUR_API_KEY",
      "YOUR_SECRET",
    ]
    for (const value of secrets) {
      expect(kept).not.toContain(value)
      expect(stdout).not.toContain(value)
      expect(secret.map(([, text]) => text).join("")).toContain(value)
    }
    expect(stdout).toContain("values in secrets files, which Git ignores:\n")
    expect(stdout).toMatch(/ {2}look generated: .*shop\.xTrace/)
    expect(stdout).toMatch(/ {2}named like secrets: .*shop\.password/)
    // A colleague sets the secrets, and gets the samples with the clone.
    const clone = await folderWith(
      Object.fromEntries(texts.filter(([file]) => !file.endsWith(".secrets.env"))),
    )
    const words = ["apiKey", "password", "sessionToken", "xTrace"].flatMap((name) => [
      "--var",
      `shop.${name}=own`,
    ])
    const ran = await callsheet(["run", "shop", ...words], { folder: clone })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(api.requests.map(({ url, text }) => `${url} ${text}`)).toEqual([
      '/pay?api_key=own&cvc=737&card_cvc=321 {"number":"4111111111111111","cvc":"737","token":"YOUR_DONATION_TOKEN","code":"321"}',
      "/sign-in cvv=1234&password=own&session_token=own",
    ])
  })

  it("isn't a secret if it only repeats the name of its variable, unless a request uses it as a credential", async () => {
    const variable = ["token", "api_key", "password", "clientSecret"].map((key) => ({
      key,
      value: key === "api_key" ? "apiKey" : key,
    }))
    const item = [
      { name: "a", request: { method: "GET", url: "https://shop.example/{{token}}/{{api_key}}" } },
    ]
    const auth = { type: "bearer", bearer: [{ key: "token", value: "{{clientSecret}}" }] }
    const root = await folderWith({ "shop.json": { info: { name: "Shop" }, variable, item, auth } })
    const { stdout } = await callsheet(["import", "shop.json", "--into", "shop"], { folder: root })
    const texts = await textsIn(`${root}/shop`)
    const { variables } = JSON.parse(texts["apis/shop/environments/schema.json"] ?? "") as {
      variables: Record<string, { secret?: boolean; default?: string }>
    }
    expect(variables["token"]).toMatchObject({ default: "token" })
    expect(variables["api_key"]).toMatchObject({ default: "apiKey" })
    expect(variables["token"]?.secret ?? variables["api_key"]?.secret).toBeUndefined()
    expect(variables["clientSecret"]).toMatchObject({ secret: true })
    expect(stdout).toMatch(/ {2}used as credentials: shop\.clientSecret/)
  })

  it("stays a secret if anything uses it as a credential, or the source marks it", async () => {
    const root = await folderWith({
      "c.sh": "curl https://shop.example/a -H 'X-Api-Key: YOUR_API_KEY' -u ada:string\n",
      "shop.json": {
        ...collection("https://shop.example"),
        auth: { type: "bearer", bearer: [{ key: "token", value: "{{cvv}}" }] },
      },
    })
    await importInto(root, ["c.sh", "--into", "c"])
    expect((await textsIn(`${root}/c`))["apis/c/environments/default.secrets.env"]).toContain("YOUR_API_KEY")
    const { stdout } = await callsheet(["import", "shop.json", "--into", "shop"], { folder: root })
    expect(stdout).toMatch(/ {2}used as credentials: .*shop\.cvv/)
    expect((await textsIn(`${root}/shop`))["apis/shop/environments/default.secrets.env"]).toContain(
      "cvv=321\n",
    )
  })
})
