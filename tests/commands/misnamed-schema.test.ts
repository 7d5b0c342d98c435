// A schema of variables under another name is reported once, without problems that follow from it.

import { expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { echo, shopFiles } from "../run/shop-project.ts"

const environments = "apis/shop/environments"
const base = shopFiles("http://127.0.0.1:9", [echo("a", { q: "{{tier}}" })])
const { [`${environments}/schema.json`]: schema, ...others } = base

it.each(["shop-schema.json", "variables.json", "schemas.json", "env-schema.json", "Schema.json"])(
  "%s is to be renamed",
  async (name) => {
    const files = {
      ...others,
      [`${environments}/${name}`]: schema,
      [`${environments}/dev.json`]: { tier: 4 },
    }
    for (const command of [["validate"], ["run", "w", "--env", "local"]]) {
      const { exitCode, stdout, stderr } = await callsheet(command, { files })
      expect(exitCode).toBe(command[0] === "run" ? 2 : 1)
      const problems = `${stdout}${stderr}`
        .split("\n")
        .filter((line) => /\([a-z]+(?:-[a-z]+)+\)$/.test(line) && !line.startsWith("warning:"))
      expect(problems).toEqual([
        `${environments}/${name}: this file declares variables, so its name must be "schema.json" (env-name)`,
      ])
    }
  },
)

it("a suite in a project without workflows says that it has none", async () => {
  const { "apis/workflow/w.json": _, ...files } = base
  const settings = { version: 1, suites: { s: { workflows: ["checkout"] } } }
  const { stdout } = await callsheet(["validate"], { files: { ...files, "callsheet.json": settings } })
  expect(stdout).toContain('the project has no workflow "checkout"')
  expect(stdout).not.toMatch(/ has $/m)
})
