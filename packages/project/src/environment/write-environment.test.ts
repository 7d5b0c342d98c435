import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import { readEnvironments } from "../read/read-api.ts"
import { openProject } from "../read/read-project.ts"
import { nodeDisk } from "../write/write-scope.ts"
import { countCalls, diskError, faultyDisk } from "../testing/faulty-disk.ts"
import { fingerprint } from "./environment-files.ts"
import { writeEnvironment, type WriteEnvironmentRequest } from "./write-environment.ts"

const folder = "apis/shop/environments"
const CANARY = "S3CR3T-canary"

const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    port: { type: "number", required: false },
    dry: { type: "boolean", required: false },
    apiKey: { type: "string", required: false, secret: true },
    pin: { type: "number", required: false, secret: true },
  },
}

const shop = (files: Readonly<Record<string, unknown>> = {}): string =>
  temporaryProject({ [`${folder}/schema.json`]: schema, [`${folder}/staging.json`]: "{}\n", ...files })

const values = (...pairs: readonly string[]) =>
  pairs.map((pair) => {
    const at = pair.indexOf("=")
    return { name: pair.slice(0, at), text: pair.slice(at + 1) }
  })

type Request = Partial<WriteEnvironmentRequest>
const write = (root: string, request: Request, options = {}) =>
  writeEnvironment({ root, api: "shop", environment: "staging", ...request }, options)

const readText = (root: string, file: string) => readFileSync(join(root, file), "utf8")
const staging = (root: string) => readText(root, `${folder}/staging.json`)
const secrets = (root: string) => readText(root, `${folder}/staging.secrets.env`)

async function refusal(call: Promise<unknown>): Promise<CallsheetError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CallsheetError) return error
  throw new Error("the call was not rejected", { cause: error })
}

/** Every file of a project with its bytes and mode. */
const snapshot = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [path, readFileSync(path, "latin1"), statSync(path).mode])

describe("env write", () => {
  it("accepts typed values, and writes null to remove a value", async () => {
    const root = shop({ [`${folder}/staging.secrets.env`]: "apiKey=k\npin=1\n" })
    const typed = [
      { name: "port", value: 8080 },
      { name: "dry", value: null },
      { name: "apiKey", value: null },
      { name: "pin", value: 12345678901234567890n },
    ]
    const { now } = await write(root, { values: typed })
    expect(staging(root)).toBe('{\n  "port": 8080,\n  "dry": null,\n  "apiKey": null\n}\n')
    expect(secrets(root)).toBe("pin=12345678901234567890\n")
    expect(now).toEqual({ values: fingerprint(staging(root)), secrets: fingerprint(secrets(root)) })
  })

  it.each([
    ["port", "8080"],
    ["dry", 1],
    ["baseUrl", true],
  ])("rejects a typed value for %s of another type, and doesn't repeat it", async (name, value) => {
    const root = shop()
    const error = await refusal(write(root, { values: [{ name, value }] }))
    expect(error.code).toBe("variable-type")
    expect(error.message).not.toContain(String(value))
  })
})

describe("a secret", () => {
  it.each([
    "*.secrets.env\n",
    "node_modules\r\n**/*.secrets.env  \r\n",
    "*.env",
    "*.secrets.env\n!examples/a.secrets.env\n",
  ])("keeps a .gitignore that already ignores it: %j", async (text) => {
    const root = shop({ ".gitignore": text })
    await write(root, { values: values("apiKey=k") })
    expect(readText(root, ".gitignore")).toBe(text)
  })

  it.each([
    ["", "*.secrets.env\n"],
    ["# *.secrets.env\r\n", "# *.secrets.env\r\n*.secrets.env\r\n"],
    ["*.secrets.env\n!*.secrets.env\n", "*.secrets.env\n!*.secrets.env\n*.secrets.env\n"],
  ])("is ignored by git even if .gitignore says %j", async (text, after) => {
    const root = shop({ ".gitignore": text })
    await write(root, { values: values("apiKey=k") })
    expect(readText(root, ".gitignore")).toBe(after)
  })

  it("moves out of a committed value file", async () => {
    const root = shop({ [`${folder}/staging.json`]: `{\n  "apiKey": "${CANARY}",\n  "port": 1\n}\n` })
    const written = await write(root, { values: values(`apiKey=${CANARY}`) })
    expect(staging(root)).toBe('{\n  "port": 1\n}\n')
    expect(secrets(root)).toBe(`apiKey=${CANARY}\n`)
    expect(written.edits).toEqual([{ name: "apiKey", did: "moved", file: `${folder}/staging.secrets.env` }])
  })

  it("lets a value of the value file win over a private override of the same name", async () => {
    const root = shop({ [`${folder}/staging.secrets.env`]: "# mine\nport=9\nexport port=10\napiKey=k\n" })
    const written = await write(root, { values: values("port=1") })
    expect(staging(root)).toBe('{\n  "port": 1\n}\n')
    expect(secrets(root)).toBe("# mine\napiKey=k\n")
    expect(written.edits.map(({ did }) => did)).toEqual(["set", "uncovered"])
  })
})

describe("--unset", () => {
  it("without names is misuse", async () => {
    const root = shop({ [`${folder}/staging.json`]: '{"port":1}' })
    expect(await refusal(write(root, { unset: ["port", "dry"] }))).toMatchObject({ code: "usage" })
    expect(staging(root)).toBe('{"port":1}')
  })
})

describe("an invalid request", () => {
  it.each([
    [{ api: "shp" }, "api-unknown"],
    [{ api: "../shop" }, "api-unknown"],
    [{ environment: "../../x" }, "env-name"],
    [{ environment: "schema" }, "env-name"],
    [{ environment: "NUL" }, "env-name"],
    [{ environment: "Staging" }, "env-name"],
    [{ extends: "staging" }, "extends-cycle"],
    [{ extends: "child" }, "extends-cycle"],
    [{ extends: "../base" }, "env-name"],
    [{ extends: "broken" }, "json-syntax"],
  ] as const)("%j is %s", async (request, code) => {
    const root = shop({ [`${folder}/child.json`]: { extends: "staging" }, [`${folder}/broken.json`]: "{" })
    const before = snapshot(root)
    expect((await refusal(write(root, { values: values("port=1"), ...request }))).code).toBe(code)
    expect(snapshot(root)).toEqual(before)
  })

  it("may still set another key of a file with a wrong value, because that is how it gets fixed", async () => {
    const root = shop({ [`${folder}/staging.json`]: '{"port":"1","odd":2}' })
    await write(root, { values: values("port=1") })
    expect(staging(root)).toBe('{"port":1,"odd":2}')
  })
})

describe("a disk that fails", () => {
  const both = { values: values("port=2", `apiKey=${CANARY}`) }
  const files = {
    ".gitignore": "*.secrets.env\n",
    [`${folder}/staging.json`]: '{"port":1}',
    [`${folder}/staging.secrets.env`]: "apiKey=old\n",
  }

  it("leaves both files unchanged, wherever it fails", async () => {
    const calls = await countCalls((disk) => write(shop(files), both, { disk }))
    let failures = 0
    for (let last = 1; last <= calls; last++) {
      const root = shop(files)
      chmodSync(join(root, folder, "staging.secrets.env"), 0o600)
      const before = snapshot(root)
      const disk = faultyDisk(({ number, name }) => {
        // If a disk also refuses to undo, only the journal can help.
        if (number === last && name !== "closeSync") throw diskError("EIO")
      })
      const result = await write(root, both, { disk }).catch((error: unknown) => error)
      if (!(result instanceof Error)) continue
      failures++
      expect(result).toMatchObject({
        code: expect.stringMatching(/^(?:write-failed|file-unreadable)$/) as string,
      })
      expect(snapshot(root)).toEqual(before)
    }
    expect(failures).toBeGreaterThan(20)
  })

  it("doesn't overwrite an edit that another program saves meanwhile", async () => {
    const root = shop(files)
    let isSaved = false
    const disk = faultyDisk(({ name, args }) => {
      if (isSaved || name !== "renameSync" || !String(args[1]).endsWith("staging.secrets.env")) return
      isSaved = true
      writeFileSync(join(root, folder, "staging.json"), '{"port":1,"dry":true}')
    })
    await write(root, both, { disk })
    expect(isSaved).toBe(true)
    expect(staging(root)).toBe('{"port":2,"dry":true}')
    expect(secrets(root)).toBe(`apiKey=${CANARY}\n`)
    expect(existsSync(join(root, ".callsheet-journal.json"))).toBe(false)
  })

  it("gives up on a file that keeps changing", async () => {
    const root = shop(files)
    let saves = 0
    const disk = faultyDisk(({ name, args }) => {
      if (name === "openSync" && String(args[0]).includes("/.callsheet-")) {
        writeFileSync(join(root, folder, "staging.json"), `{"port":${100 + saves++}}`)
      }
    })
    const error = await refusal(write(root, { values: values("port=2") }, { disk }))
    expect(error).toMatchObject({ code: "write-failed" })
    expect(staging(root)).toBe('{"port":104}')
    expect(nodeDisk.readdirSync(join(root, folder)).filter((name) => name.startsWith("."))).toEqual([])
  })
})

describe("the caller's last seen state of the files", () => {
  const seenOf = (root: string) => {
    const environment = readEnvironments(openProject(root), "shop").environments.get("staging")
    return {
      values: fingerprint(environment?.valueFile.text),
      secrets: fingerprint(environment?.secretsFile?.text),
    }
  }
  const saved = '{\n  "port": 1,\n  "dry": true\n}\n'

  it.each([
    ["the value file", "staging.json", saved],
    ["a secrets file that did not exist", "staging.secrets.env", "pin=4\n"],
  ])(
    "is compared with %s that another program saved since, and nothing is written",
    async (_, name, text) => {
      const root = shop({ [`${folder}/staging.json`]: '\ufeff{"port": 1}' })
      const seen = seenOf(root)
      writeFileSync(join(root, folder, name), text)
      const before = snapshot(root)
      const error = await refusal(write(root, { values: values("port=2"), seen }))
      expect(error.problems).toMatchObject([{ code: "file-changed", file: `${folder}/${name}` }])
      expect(snapshot(root)).toEqual(before)
      await write(root, { values: values("port=2"), seen: seenOf(root) })
      expect(staging(root)).toContain('"port": 2')
    },
  )

  it("does not matter if the files already contain what is to be written", async () => {
    const root = shop({ [`${folder}/staging.json`]: "{}" })
    const seen = seenOf(root)
    writeFileSync(join(root, folder, "staging.json"), saved)
    expect(await write(root, { values: values("port=1", "dry=true"), seen })).toMatchObject({ files: [] })
    expect(staging(root)).toBe(saved)
  })
})
