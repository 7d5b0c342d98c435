// Checks that `env write` keeps the style of a file, for files of every style.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deleteJsonAt, setJsonAt, setSecret, unsetSecret } from "@callsheet/format"
import fc from "fast-check"
import { expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { sized } from "../harness/full-size.ts"
import { dotenvText } from "./dotenv-texts.ts"
import { jsonText } from "./json-texts.ts"

const SEED = 20_261_121
const FILES = sized(15, 60)
const AT_ONCE = 4

interface Case {
  readonly words: readonly string[]
  readonly file: "e.json" | "e.secrets.env"
  readonly before: string
  readonly after: string
}

const schema = {
  version: 1,
  variables: {
    a: { type: "string", required: false },
    x: { type: "number", required: false },
    apiKey: { type: "string", required: false, secret: true },
  },
}

// Undeclared keys are errors, but the command can still write values.
const jsonCases = fc
  .sample(jsonText, { seed: SEED, numRuns: 4 * FILES })
  .flatMap(({ text, members }): Case[] => {
    // An extended name must be an environment, which doesn't matter here.
    if (members.some(({ key }) => key === "level")) return []
    const has = members.some(({ key }) => key === "a")
    const set = setJsonAt(text, ["a"], 'new, "value"')
    const added = setJsonAt(text, ["x"], 5)
    const gone = deleteJsonAt(text, ["a"])
    if (!set.ok || !added.ok || !gone.ok) throw new Error("a generated file does not parse")
    return [
      { words: ['a=new, "value"'], file: "e.json", before: text, after: set.text },
      has
        ? { words: ["--unset", "a"], file: "e.json", before: text, after: gone.text }
        : { words: ["x=5"], file: "e.json", before: text, after: added.text },
    ]
  })

const dotenvCases = fc
  .sample(dotenvText, { seed: SEED, numRuns: FILES })
  .flatMap(({ text, pieces }): Case[] => {
    const set = setSecret(text, "apiKey", "a new #1")
    const gone = unsetSecret(text, "apiKey")
    if (!set.ok || !gone.ok) throw new Error("a generated file does not parse")
    const cases: Case[] = [
      { words: ["apiKey=a new #1"], file: "e.secrets.env", before: text, after: set.text },
    ]
    if (pieces.some(({ name }) => name === "apiKey")) {
      cases.push({ words: ["--unset", "apiKey"], file: "e.secrets.env", before: text, after: gone.text })
    }
    return cases
  })

async function check({ words, file, before, after }: Case, folder: string): Promise<void> {
  const environments = join(folder, "apis/shop/environments")
  mkdirSync(environments, { recursive: true })
  writeFileSync(join(environments, "schema.json"), JSON.stringify(schema))
  writeFileSync(join(environments, "e.json"), "{}\n")
  writeFileSync(join(environments, "e.secrets.env"), "")
  writeFileSync(join(environments, file), before)
  const { exitCode, stderr } = await callsheet(["env", "write", "shop", "e", ...words], { folder })
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr, before }).toEqual({
    exitCode: 0,
    stderr: "",
    before,
  })
  const texts = ["e.json", "e.secrets.env"].map((name) => readFileSync(join(environments, name), "utf8"))
  expect(texts).toEqual(file === "e.json" ? [after, ""] : ["{}\n", after])
}

it.each([
  ["value files", jsonCases],
  ["secrets files", dotenvCases],
])(
  "env write makes the same change in %s of every style as the edit of the text",
  async (_, cases) => {
    const some = cases.slice(0, 2 * FILES)
    expect(some.length).toBeGreaterThan(FILES)
    const queue = some.values()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of queue) {
          const folder = await createFolder()
          await check(one, folder).finally(() => rmSync(folder, { recursive: true }))
        }
      }),
    )
  },
  180_000,
)
