import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import { fingerprint } from "./environment-files.ts"
import { deleteEnvironment, renameEnvironment } from "./rename-and-delete.ts"
import { createEnvironment, editSettings, writeSettings, type Settings } from "./write-environment.ts"

const folder = "apis/shop/environments"
const nothing: Settings = { extends: null, level: null, verify: null }

const shop = (files: Readonly<Record<string, unknown>> = {}): string =>
  temporaryProject({
    [`${folder}/base.json`]: "{}\n",
    [`${folder}/dev.json`]: '{\n  "x": 1\n}\n',
    [`${folder}/dev.secrets.env`]: "apiKey=k\n",
    ...files,
  })

const readText = (root: string, file: string) => readFileSync(join(root, folder, file), "utf8")
const write = (
  root: string,
  settings: Partial<Settings>,
  seen?: { values: string; secrets: string | null },
) =>
  writeSettings({
    root,
    api: "shop",
    environment: "dev",
    ...nothing,
    ...settings,
    ...(seen === undefined ? {} : { seen }),
  })

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof CallsheetError ? error.code : String(error)
}

describe("editSettings", () => {
  it.each<[string, Partial<Settings>, string]>([
    [
      '{"a":1}',
      { extends: "b", level: "staging", verify: false },
      '{"extends":"b","level":"staging","tls":{"verify":false},"a":1}',
    ],
    ['{"extends":"b","a":1,"level":"local"}', {}, '{"a":1}'],
    ['{"tls": {"verify": false, "ca": "x"}}', {}, '{"tls": {"ca": "x"}}'],
    ['{"tls": {"verify": false}}', {}, "{}"],
    ['{"tls": {"ca": "x"}}', { verify: true }, '{"tls": {"verify": true, "ca": "x"}}'],
    ['{"tls": "no"}', { verify: true }, '{"tls": {"verify": true}}'],
    ['{"tls": "no"}', {}, '{"tls": "no"}'],
    [
      '\ufeff{\r\n\t"level" : "local",\r\n\t"a" : 1\r\n}',
      { level: "staging" },
      '\ufeff{\r\n\t"level" : "staging",\r\n\t"a" : 1\r\n}',
    ],
  ])("changes in %j only what %j says", (text, settings, expected) => {
    expect(editSettings(text, { ...nothing, ...settings })).toBe(expected)
  })
})

describe("writeSettings", () => {
  it("writes them and returns the files as they are now", async () => {
    const root = shop()
    const { now, files } = await write(root, { extends: "base", level: "production", verify: true })
    const text = readText(root, "dev.json")
    expect(JSON.parse(text)).toEqual({ x: 1, extends: "base", level: "production", tls: { verify: true } })
    expect(files).toEqual([`${folder}/dev.json`])
    expect(now).toEqual({ values: fingerprint(text), secrets: fingerprint("apiKey=k\n") })
  })

  it.each<[string, Partial<Settings>]>([
    ["extends-missing", { extends: "bse" }],
    ["extends-cycle", { extends: "dev" }],
    ["extends-cycle", { extends: "child" }],
  ])("rejects (%s) %j and writes nothing", async (code, settings) => {
    const root = shop({ [`${folder}/child.json`]: { extends: "dev" } })
    expect(await codeOf(write(root, settings))).toBe(code)
    expect(readText(root, "dev.json")).toBe('{\n  "x": 1\n}\n')
  })

  it("rejects a file that does not parse", async () => {
    const root = shop({ [`${folder}/dev.json`]: '{"x": }' })
    expect(await codeOf(write(root, { level: "local" }))).toBe("json-syntax")
    expect(readText(root, "dev.json")).toBe('{"x": }')
  })

  it.each(["dev.json", "dev.secrets.env"])("fails if %s has changed since it was shown", async (file) => {
    const root = shop()
    const seen = {
      values: String(fingerprint(readText(root, "dev.json"))),
      secrets: fingerprint("apiKey=k\n"),
    }
    writeFileSync(join(root, folder, file), file.endsWith(".env") ? "apiKey=new\n" : "{}\n")
    const before = readText(root, "dev.json")
    expect(await codeOf(write(root, { level: "local" }, seen))).toBe("file-changed")
    expect(readText(root, "dev.json")).toBe(before)
  })

  it("creates an environment, and the directory for the first one", async () => {
    const root = temporaryProject({ "apis/shop/openapi.json": "{}" })
    const request = { root, api: "shop", environment: "local", ...nothing }
    await createEnvironment(request)
    expect(readText(root, "local.json")).toBe("{}\n")
    await createEnvironment({ ...request, environment: "ci", extends: "local", level: "staging" })
    expect(readText(root, "ci.json")).toBe('{\n  "extends": "local",\n  "level": "staging"\n}\n')
    expect(await codeOf(createEnvironment(request))).toBe("env-exists")
    expect(await codeOf(createEnvironment({ ...request, environment: "Local" }))).toBe("env-name")
    expect(await codeOf(createEnvironment({ ...request, environment: "x", extends: "y" }))).toBe(
      "extends-missing",
    )
  })
})

describe("the last seen state", () => {
  const gone = { values: String(fingerprint("{}")), secrets: null }
  const shown = { values: String(fingerprint('{\n  "x": 1\n}\n')), secrets: fingerprint("apiKey=k\n") }

  it("is required before an environment is deleted or renamed", async () => {
    const root = shop()
    const dev = { root, api: "shop", environment: "dev" }
    expect(await codeOf(deleteEnvironment({ ...dev, seen: gone }))).toBe("file-changed")
    expect(await codeOf(renameEnvironment({ ...dev, to: "ci", seen: gone }))).toBe("file-changed")
    expect(existsSync(join(root, folder, "dev.json"))).toBe(true)
    await renameEnvironment({ ...dev, to: "ci", seen: shown })
    await deleteEnvironment({ ...dev, environment: "ci", seen: shown })
    expect(existsSync(join(root, folder, "ci.json"))).toBe(false)
  })
})
