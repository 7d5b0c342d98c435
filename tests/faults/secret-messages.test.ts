// Messages about what cannot be sent or read, where a secret is the cause (faults RP-06, RP-07).

import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles } from "../harness/callsheet.ts"

const canary = "k3y-canary-41"
let api: ApiServer
let folder: string

const look = (header: string) => ({
  id: "look",
  type: "request",
  request: { api: "shop", instance: "look", overrides: { params: { header: { [header]: "{{key}}" } } } },
})

beforeAll(async () => {
  api = await startApi({ "*": { body: { ok: true } } })
  folder = await createFolder({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true, secret: true },
        key: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/local.secrets.env": `baseUrl=${api.url}\nkey=plain-text\n`,
    "apis/shop/requests/tools/look.json": { version: 1, method: "GET", path: "/look" },
    "apis/workflow/w.json": { version: 1, blocks: [look("x-key")] },
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const call = async (words: string, env: Readonly<Record<string, string>> = {}) => {
  const { exitCode, stdout, stderr } = await callsheet([...words.split(" "), "--debug"], { folder, env })
  return { exitCode, text: stdout + stderr }
}

describe("a message about what cannot be sent", () => {
  it.each([
    ["a header that HTTP cannot carry", "KEY", `${canary}\nx: y`, "the header x-key holds a line break"],
    ["a URL that is none", "BASE_URL", `${canary}://:x`, "is no http or https URL"],
    ["a URL with a blank", "BASE_URL", `http://${canary} x/`, "is no http or https URL"],
    ["a host that is not found", "BASE_URL", `http://${canary}.invalid/v1`, "request-failed"],
    ["a host that speaks no TLS", "BASE_URL", `https://127.0.0.1:9/${canary}`, "request-failed"],
    [
      "a port that there is not",
      "BASE_URL",
      `http://user:${canary}@127.0.0.1:99999/`,
      "is no http or https URL",
    ],
  ])("names %s without its value", async (_, variable, value, said) => {
    for (const reporter of ["pretty", "json", "junit"]) {
      const { exitCode, text } = await call(`run w --verify-no-leak --reporter=${reporter}`, {
        [`CALLSHEET_VAR__SHOP__${variable}`]: value,
      })
      expect(text).toContain(said)
      expect(text.toLowerCase()).not.toContain(canary)
      expect(exitCode).toBe(said.includes("URL") ? 2 : 1)
    }
  })
})

describe("a message about a file that cannot be read", () => {
  const files: readonly (readonly [string, string])[] = [
    ["apis/shop/environments/local.secrets.env", `baseUrl=http://127.0.0.1:9\nkey='${canary}\n`],
    ["apis/shop/environments/local.secrets.env", `baseUrl=http://127.0.0.1:9\n${canary}\n`],
    ["apis/shop/environments/local.json", `{"key": "${canary}" "x"}`],
    ["apis/shop/environments/local.json", `{"key": "${canary}", "extends": 7}`],
  ]
  it.each(files)("quotes nothing of %s (%#)", async (file, content) => {
    await writeFiles(folder, { [file]: content })
    for (const words of [
      "run w",
      "run w --json",
      "validate",
      "validate --json",
      "env read shop local",
      "list",
    ]) {
      const { text } = await call(words)
      expect(text, words).not.toContain(canary)
    }
    await writeFiles(folder, {
      "apis/shop/environments/local.json": {},
      "apis/shop/environments/local.secrets.env": `baseUrl=${api.url}\nkey=plain-text\n`,
    })
  })
})
