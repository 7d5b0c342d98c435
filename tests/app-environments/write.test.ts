// Checks the calls that change one environment: the bytes that they write, and the changes that they reject.

import { stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { chain, folder, openEnvironments } from "./open-environments.ts"

type Opened = Awaited<ReturnType<typeof openEnvironments>>

const write = async (
  { call, etag }: Opened,
  environment: string,
  changes: { set?: Record<string, string | number | boolean | null>; unset?: readonly string[] },
) =>
  call("environments.write", {
    api: "shop",
    environment,
    etag: await etag(environment),
    set: {},
    unset: [],
    ...changes,
  })

/** Everything that a page receives about a failure. */
const visibleText = (failure: unknown): string =>
  JSON.stringify(failure) + (failure instanceof Error ? failure.message : "")

const live = '{\n\t"extends": "staging",\n\t"level": "production",\n\t"sandbox": null\n}'

describe("environments.write", () => {
  it("changes the given values and no other byte of any file", async () => {
    const opened = await openEnvironments({ ...chain, [`${folder}/live.json`]: live })
    const before = await opened.text(`${folder}/live.secrets.env`)
    await write(opened, "live", { set: { sandbox: true, timeout: "1e3", baseUrl: "https://shop" } })
    expect(await opened.text(`${folder}/live.json`)).toBe(
      live.replace("null", 'true,\n\t"timeout": 1000,\n\t"baseUrl": "https://shop"'),
    )
    expect(await opened.text(`${folder}/live.secrets.env`)).toBe(before)
  })

  it("returns the etag for the next change, the same as read returns", async () => {
    const opened = await openEnvironments(chain)
    const { etag } = await write(opened, "base", { set: { pin: 12 } })
    expect(await opened.etag("base")).toBe(etag)
    expect(opened.noted).toHaveLength(1)
  })

  it("writes a secret into the secrets file, readable only by its owner, after git ignores it", async () => {
    const opened = await openEnvironments(chain)
    await write(opened, "staging", { set: { apiKey: "s3cr3t of staging # 1" } })
    const file = `${folder}/staging.secrets.env`
    expect(await opened.text(file)).toBe("apiKey='s3cr3t of staging # 1'\n")
    expect((await stat(join(opened.root, file))).mode & 0o777).toBe(0o600)
    expect(await opened.text(".gitignore")).toBe("*.secrets.env\n")
    expect(await opened.text(`${folder}/staging.json`)).not.toContain("s3cr3t")
  })

  it("removes values so that they are inherited again, including values that don't exist", async () => {
    const opened = await openEnvironments(chain)
    await write(opened, "live", { unset: ["sandbox", "apiKey", "baseUrl"] })
    const { cells } = await opened.read()
    expect(cells["live"]).toMatchObject({
      sandbox: { from: "inherited", environment: "base" },
      apiKey: { from: "inherited", environment: "base" },
    })
  })

  it("removes an undeclared key", async () => {
    const opened = await openEnvironments({
      ...chain,
      [`${folder}/base.json`]: '{"my key": 1, "sandbox": true}',
    })
    await write(opened, "base", { unset: ["my key"] })
    expect(await opened.text(`${folder}/base.json`)).toBe('{"sandbox": true}')
  })

  it("writes every digit of an integer", async () => {
    const opened = await openEnvironments({ ...chain, [`${folder}/base.json`]: "{}\n" })
    await write(opened, "base", { set: { timeout: "12345678901234567890" } })
    expect(await opened.text(`${folder}/base.json`)).toBe('{\n  "timeout": 12345678901234567890\n}\n')
  })

  it.each([
    ["variable-type", { set: { timeout: "soon" } }],
    ["variable-type", { set: { baseUrl: 1 } }],
    ["variable-undeclared", { set: { baseUrk: "x" } }],
    ["secret-unquotable", { set: { apiKey: "s3cr3t'\"` # x" } }],
  ] as const)("rejects (%s) %j, reveals no values or options, and writes nothing", async (code, changes) => {
    const opened = await openEnvironments(chain)
    const failure = await write(opened, "base", changes).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 422, code })
    expect(visibleText(failure)).not.toMatch(/s3cr3t|soon|--/)
    expect(await opened.text(`${folder}/base.json`)).toBe(
      JSON.stringify(chain[`${folder}/base.json`], undefined, 2),
    )
  })

  it.each([
    [`${folder}/base.json`, '{"sandbox": false}'],
    [`${folder}/base.secrets.env`, "apiKey=s3cr3t-of-another\n"],
  ])("responds 409 without content if %s has changed since", async (file, text) => {
    const opened = await openEnvironments(chain)
    const seen = await opened.etag("base")
    await opened.put({ [file]: text })
    const refused = opened.call("environments.write", {
      api: "shop",
      environment: "base",
      etag: seen,
      set: { sandbox: true },
      unset: [],
    })
    const failure = await refused.catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 409, code: "file-changed", details: {} })
    expect(visibleText(failure)).not.toContain("s3cr3t")
    expect(await opened.text(file)).toBe(text)
  })

  it("creates no environment, and reports whether one existed before", async () => {
    const { call, root } = await openEnvironments(chain)
    const input = { api: "shop", environment: "new", set: {}, unset: [] }
    await expect(call("environments.write", { ...input, etag: null })).rejects.toMatchObject({
      status: 404,
      code: "env-missing",
    })
    await expect(call("environments.write", { ...input, etag: "0".repeat(64) })).rejects.toMatchObject({
      status: 409,
    })
    await expect(stat(join(root, folder, "new.json"))).rejects.toThrow("ENOENT")
  })

  it("never overwrites a file that does not parse", async () => {
    const opened = await openEnvironments({ ...chain, [`${folder}/base.json`]: '{"a": ' })
    await expect(write(opened, "base", { set: { sandbox: true } })).rejects.toMatchObject({
      status: 422,
      code: "json-syntax",
    })
    expect(await opened.text(`${folder}/base.json`)).toBe('{"a": ')
  })
})

describe("settings, create, rename and delete", () => {
  it("write the three settings and keep everything else in tls", async () => {
    const opened = await openEnvironments({
      ...chain,
      [`${folder}/base.json`]: '{\n  "tls": { "verify": false, "ca": "x" },\n  "sandbox": true\n}\n',
    })
    const { etag } = await opened.call("environments.settings", {
      api: "shop",
      environment: "base",
      etag: await opened.etag("base"),
      extends: null,
      level: "staging",
      verify: null,
    })
    expect(await opened.text(`${folder}/base.json`)).toBe(
      '{\n  "level": "staging",\n  "tls": { "ca": "x" },\n  "sandbox": true\n}\n',
    )
    expect(etag).toBe(await opened.etag("base"))
  })

  it("create an environment, rename it, and delete it with its secrets", async () => {
    const opened = await openEnvironments(chain)
    const made = await opened.call("environments.create", {
      api: "shop",
      environment: "ci",
      extends: "base",
      level: null,
    })
    expect(await opened.text(`${folder}/ci.json`)).toBe('{\n  "extends": "base"\n}\n')
    const { etag } = await write(opened, "ci", { set: { apiKey: "s3cr3t" } })
    expect(etag).not.toBe(made.etag)
    const renamed = await opened.call("environments.rename", {
      api: "shop",
      environment: "ci",
      etag,
      to: "nightly",
    })
    expect(await opened.text(`${folder}/nightly.secrets.env`)).toBe("apiKey=s3cr3t\n")
    expect(await opened.etag("nightly")).toBe(renamed.etag)
    await opened.call("environments.delete", { api: "shop", environment: "nightly", etag: renamed.etag })
    expect((await opened.read()).environments.map(({ name }) => name)).toEqual(["base", "live", "staging"])
    await expect(stat(join(opened.root, folder, "nightly.secrets.env"))).rejects.toThrow("ENOENT")
  })

  it("update every extends that names a renamed environment", async () => {
    const opened = await openEnvironments(chain)
    const etag = await opened.etag("base")
    await opened.call("environments.rename", { api: "shop", environment: "base", etag, to: "common" })
    expect((await opened.read()).environments.find(({ name }) => name === "staging")?.extends).toBe("common")
  })

  it("refuse to delete an environment that others extend, or that has changed since", async () => {
    const opened = await openEnvironments(chain)
    const etag = await opened.etag("base")
    const base = { api: "shop", environment: "base", etag }
    await expect(opened.call("environments.delete", base)).rejects.toMatchObject({ code: "env-in-use" })
    await opened.put({ [`${folder}/base.secrets.env`]: "apiKey=other\n" })
    await expect(opened.call("environments.delete", base)).rejects.toMatchObject({ status: 409 })
    expect(await opened.text(`${folder}/base.secrets.env`)).toBe("apiKey=other\n")
  })
})

describe("secrets.reveal", () => {
  const reveal = (opened: Opened, environment: string, variable: string, purpose: "show" | "copy" = "show") =>
    opened.call("secrets.reveal", { api: "shop", environment, variable, purpose })

  it("returns one value as the environment resolves it, and reports it on the terminal by name", async () => {
    const opened = await openEnvironments(chain)
    expect(await reveal(opened, "live", "apiKey")).toEqual({ value: "s3cr3t-of-live" })
    expect(await reveal(opened, "staging", "apiKey", "copy")).toEqual({ value: "s3cr3t-of-base" })
    expect(opened.said).toEqual(["revealed shop/live apiKey", "copied shop/staging apiKey"])
  })

  it("reveals nothing while other machines can reach the app, and says so", async () => {
    const opened = await openEnvironments(chain, { isRemote: () => true })
    await expect(reveal(opened, "live", "apiKey")).rejects.toMatchObject({
      status: 403,
      code: "remote-refused",
    })
    expect(opened.said).toEqual([])
  })

  it("never reveals the value of a process variable", async () => {
    const processEnvironment = {
      CALLSHEET_VAR__SHOP__API_KEY: "s3cr3t-of-process",
      CALLSHEET_VAR__SHOP__PIN: "77",
    }
    const opened = await openEnvironments(chain, { processEnvironment })
    expect(await reveal(opened, "live", "apiKey")).toEqual({ value: "s3cr3t-of-live" })
    await expect(reveal(opened, "base", "pin")).rejects.toMatchObject({ code: "variable-missing" })
    expect(opened.said).toEqual(["revealed shop/live apiKey"])
  })

  it("rejects undeclared variables and unknown environments", async () => {
    const opened = await openEnvironments(chain)
    await expect(reveal(opened, "live", "apikey")).rejects.toMatchObject({ code: "variable-undeclared" })
    await expect(reveal(opened, "lives", "apiKey")).rejects.toMatchObject({ code: "env-missing" })
    expect(opened.said).toEqual([])
  })
})
