// A secret in place of a level, a parent, a key, an operator or an id is in no message.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"

const canary = "k3y-canary-57"
const environments = "apis/shop/environments"
const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    key: { type: "string", required: false, secret: true },
  },
}
const request = { api: "shop", instance: "look" }
const files = {
  [`${environments}/schema.json`]: schema,
  [`${environments}/local.json`]: { baseUrl: "http://127.0.0.1:9" },
  [`${environments}/local.secrets.env`]: `key=${canary}\n`,
  "apis/shop/requests/tools/look.json": { version: 1, method: "GET", path: "/" },
  "apis/workflow/w.json": { version: 1, blocks: [{ id: "a", type: "request", request }] },
}

const places: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["a level", { [`${environments}/local.json`]: { level: canary } }],
  ["a parent", { [`${environments}/local.json`]: { extends: canary } }],
  ["a key", { [`${environments}/local.json`]: { [canary]: 1 } }],
  [
    "a level next to a schema that doesn't parse",
    { [`${environments}/schema.json`]: "{", [`${environments}/local.json`]: { level: canary } },
  ],
  [
    "a schema with a wrong type",
    { [`${environments}/schema.json`]: { version: 1, variables: { key: { type: canary } } } },
  ],
  [
    "an operator",
    {
      "apis/workflow/w.json": {
        version: 1,
        blocks: [
          { id: "a", type: "request", request },
          { id: "b", type: "assert", assertions: [{ source: "a.b", operator: canary }] },
        ],
      },
    },
  ],
  [
    "an id",
    {
      "apis/workflow/w.json": {
        version: 1,
        blocks: [
          { id: canary, type: "request", request },
          { id: canary, type: "request", request },
        ],
      },
    },
  ],
  [
    "a line of a script that doesn't parse",
    {
      "apis/workflow/w.json": {
        version: 1,
        blocks: [{ id: "a", type: "script", script: { name: "say", exportName: "say" } }],
      },
      "apis/workflow/scripts/w/say.ts": `export const say = () => "${canary}" )`,
    },
  ],
]

const commands = [
  ["validate"],
  ["validate", "--json"],
  ["validate", "--format=github"],
  ["validate", "--format=sarif"],
  ["run", "w"],
  ["run", "w", "--reporter=json"],
  ["run", "w", "--reporter=junit"],
  ["env", "read", "shop", "local"],
  ["env", "list"],
  ["env", "list", "--json"],
]

/** Each command with some of the places, and each place with some of the commands. */
const someCommands = (place: number) => commands.filter((_, at) => (at + place) % sized(3, 1) === 0)

describe("a known secret", () => {
  it.each(places)("in place of %s is shown by no command", async (_, wrong) => {
    const shown: string[] = []
    for (const words of commands) {
      const { stdout, stderr } = await callsheet(words, { files: { ...files, ...wrong } })
      if ((stdout + stderr).includes(canary)) shown.push(words.join(" "))
    }
    expect(shown).toEqual([])
  })

  it.each(places.map(([name, wrong], at) => [name, wrong, someCommands(at)] as const))(
    "that is a process variable is shown by no command in place of %s",
    async (_, wrong, some) => {
      const env = { CALLSHEET_VAR__SHOP__KEY: canary }
      const { [`${environments}/local.secrets.env`]: _file, ...others } = { ...files, ...wrong }
      const shown: string[] = []
      for (const words of some) {
        const { stdout, stderr } = await callsheet(words, { files: others, env })
        if ((stdout + stderr).includes(canary)) shown.push(words.join(" "))
      }
      expect(shown).toEqual([])
    },
  )

  it.each<[string, object]>([
    [
      "an operator in a workflow that uses no API",
      { id: "b", type: "assert", assertions: [{ source: "a.b", operator: canary }] },
    ],
    [
      "a saved request, as a secret of an environment that isn't bound",
      { id: "b", type: "request", request: { api: "shop", instance: canary } },
    ],
  ])("in place of %s is shown by no command", async (_, block) => {
    const given = {
      ...files,
      [`${environments}/local.secrets.env`]: "",
      [`${environments}/other.json`]: {},
      [`${environments}/other.secrets.env`]: `key=${canary}\n`,
      "apis/workflow/w.json": { version: 1, blocks: [block] },
    }
    for (const words of [["run", "w", "--env", "local"], ["validate", "w"], ["validate"]]) {
      const { stdout, stderr, exitCode } = await callsheet(words, { files: given })
      expect(exitCode).not.toBe(0)
      expect(stdout + stderr).not.toContain(canary)
    }
  })

  it("is not shown by a message that truncates its quote", async () => {
    const long = `${canary}-`.repeat(20)
    const given = {
      ...files,
      [`${environments}/local.secrets.env`]: `key=${long}\n`,
      "apis/shop/openapi.json": { openapi: long, info: { title: "Shop", version: "1" }, paths: {} },
    }
    const { stdout } = await callsheet(["validate"], { files: given })
    expect(stdout).toContain("apis/shop/openapi.json")
    expect(stdout).not.toContain(canary)
  })

  it("is not shown if a secrets file contains only its value", async () => {
    const alone = { ...files, [`${environments}/local.secrets.env`]: `${canary}=\n` }
    for (const words of commands) {
      const { stdout, stderr } = await callsheet(words, { files: alone })
      expect(stdout + stderr).not.toContain(canary)
    }
    const near = { ...files, [`${environments}/local.secrets.env`]: "baseUlr=x-x-x-x\n" }
    expect((await callsheet(["validate"], { files: near })).stdout).toContain('"baseUlr" is not declared')
  })

  it("is not shown in the inputs of a run that ends because no environment was chosen", async () => {
    const two = {
      ...files,
      [`${environments}/other.json`]: { baseUrl: "http://127.0.0.1:9" },
      "apis/workflow/w.json": {
        version: 1,
        inputs: { word: { type: "string" } },
        blocks: [{ id: "a", type: "request", request }],
      },
    }
    const { stdout, stderr, exitCode } = await callsheet(
      ["run", "w", "--input", `word=${canary}`, "--reporter=json"],
      { files: two },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('the API "shop", which has 2')
    expect(stdout + stderr).not.toContain(canary)
  })
})
