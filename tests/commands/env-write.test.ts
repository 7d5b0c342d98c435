import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"

const SECRET = "s3cr3t canary #79"
const environments = "apis/shop/environments"
const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    timeout: { type: "number", required: false },
    apiKey: { type: "string", required: false, secret: true },
  },
}

let folder: string
beforeEach(async () => {
  folder = await createFolder({
    [`${environments}/schema.json`]: schema,
    [`${environments}/local.json`]: { baseUrl: "http://127.0.0.1:1" },
    [`${environments}/staging.json`]: { extends: "local" },
  })
})
afterEach(() => rm(folder, { recursive: true }))

const env = (words: readonly string[], stdin?: string) =>
  callsheet(["env", ...words], { folder, ...(stdin === undefined ? {} : { stdin }) })
const write = (...words: string[]) => env(["write", "shop", ...words])
const text = (name: string) => readText(folder, `${environments}/${name}`)

describe("callsheet env write", () => {
  it("writes typed values, and splits at the first equals sign", async () => {
    expect(await write("local", "baseUrl=http://x/?a=b", "timeout=250")).toMatchObject({
      exitCode: 0,
      stdout: "",
    })
    expect(JSON.parse((await text("local.json")) ?? "")).toEqual({ baseUrl: "http://x/?a=b", timeout: 250 })
  })

  it("reads a secret from standard input without the last line break, and shows it nowhere", async () => {
    const result = await env(["write", "shop", "local", "apiKey=-"], `${SECRET}\n`)
    expect(result).toMatchObject({ exitCode: 0, stdout: "" })
    expect(result.stderr).toContain("apiKey set in apis/shop/environments/local.secrets.env")
    expect(result.stderr).not.toContain(SECRET)
    expect((await text("local.json")) ?? "").not.toContain("apiKey")
    expect(await readText(folder, ".gitignore")).toContain("*.secrets.env")
    expect((await env(["read", "shop", "local", "apiKey", "--reveal"])).stdout).toBe(`${SECRET}\n`)
  })

  it("warns about a secret on the command line, and about nothing else", async () => {
    const { exitCode, stderr } = await write("local", `apiKey=${SECRET}`, "timeout=7")
    expect(exitCode).toBe(0)
    expect(stderr).toContain(
      "warning: apiKey=…: other users of this machine can see secrets on the command line",
    )
    expect(stderr).toContain("hint: use apiKey=- to read it from standard input")
    expect(stderr).not.toContain(SECRET)
    expect(stderr).not.toContain("timeout=…")
    const unseen = await env(["write", "shop", "local", "timeout=8", "apiKey=-"], SECRET)
    expect(unseen.stderr).not.toContain("warning")
  })

  it("creates an environment, and sets and removes its parent", async () => {
    expect((await write("dev", "--extends", "local")).stderr).toContain("created the environment dev of shop")
    expect(JSON.parse((await text("dev.json")) ?? "")).toEqual({ extends: "local" })
    expect((await write("dev", "--no-extends")).exitCode).toBe(0)
    expect(JSON.parse((await text("dev.json")) ?? "")).toEqual({})
  })

  it("removes values", async () => {
    expect((await write("local", "--unset", "baseUrl")).exitCode).toBe(0)
    expect(JSON.parse((await text("local.json")) ?? "")).toEqual({})
  })

  it("reports that there is nothing to change", async () => {
    expect(await write("local")).toMatchObject({ exitCode: 0, stdout: "", stderr: "nothing to change\n" })
  })

  it("accepts a value that starts with dashes after two dashes", async () => {
    expect((await write("local", "--", "baseUrl=--x")).exitCode).toBe(0)
    expect((await env(["read", "shop", "local", "baseUrl"])).stdout).toBe("--x\n")
  })

  it.each([
    [["local", "baseUrl=x", "tiemout=1"], 'did you mean "timeout"?'],
    [["local", "baseUrl=x", "timeout=S3CRET"], "is not a number"],
    [["local", "S3CRET"], "a value must have the form <name>=<value>"],
    [["local", "=S3CRET"], "a value must have the form <name>=<value>"],
    [["local", "baseUrl=-", "apiKey=-"], "standard input can set only one value, not baseUrl and apiKey"],
    [["local", "--extends", "x", "--no-extends"], "can't be used with"],
    [["local", "--unset", "timeout"], "timeout"],
    [["../local", "baseUrl=x"], "(env-name)"],
  ])("rejects %j and writes nothing", async (words, message) => {
    const before = await text("local.json")
    const result = await write(...words)
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(message)
    expect(result.stderr).not.toContain("S3CRET")
    expect(await text("local.json")).toBe(before)
  })

  it("rejects an unknown API, whatever its name", async () => {
    for (const api of ["shp", "..", "workflow", "shop/../shop"]) {
      expect(await env(["write", api, "local", "baseUrl=x"])).toMatchObject({ exitCode: 2, stdout: "" })
    }
  })

  it("rejects standard input of a megabyte or more, or not in UTF-8", async () => {
    const large = await env(["write", "shop", "local", "apiKey=-"], "x".repeat(1024 * 1024 + 1))
    expect(large.stderr).toContain("standard input is larger than 1 MiB")
    const stdin = new Uint8Array([0xff, 0xfe])
    const broken = await callsheet(["env", "write", "shop", "local", "apiKey=-"], { folder, stdin })
    expect(broken).toMatchObject({
      exitCode: 2,
      stderr: "apiKey=-: standard input is not UTF-8 (file-encoding)\n",
    })
  })
})

describe("callsheet env rename", () => {
  it("renames the files and updates environments that extend it", async () => {
    const result = await env(["rename", "shop", "local", "here"])
    expect(result).toMatchObject({ exitCode: 0, stderr: "renamed local to here\nstaging now extends here\n" })
    expect(await text("local.json")).toBeUndefined()
    expect(JSON.parse((await text("staging.json")) ?? "")).toEqual({ extends: "here" })
  })

  it("rejects a taken name", async () => {
    const result = await env(["rename", "shop", "local", "staging"])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("(env-exists)")
  })
})

describe("callsheet env delete", () => {
  it("deletes both files", async () => {
    await env(["write", "shop", "staging", "apiKey=-"], SECRET)
    const result = await env(["delete", "shop", "staging"])
    expect(result.exitCode).toBe(0)
    expect([await text("staging.json"), await text("staging.secrets.env")]).toEqual([undefined, undefined])
  })

  it("fails while another environment extends it", async () => {
    const result = await env(["delete", "shop", "local"])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("(env-in-use)")
    expect(await text("local.json")).toBeDefined()
  })
})
