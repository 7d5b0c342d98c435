import { schemaKinds } from "@callsheet/format"
import { expect, it } from "vitest"
import { callsheet, type Files } from "../harness/callsheet.ts"

const schema = (variables: unknown): Files => ({
  "apis/shop/environments/schema.json": { version: 1, variables },
})

it("lists the schemas with their files, outside a project too", async () => {
  const { exitCode, stdout } = await callsheet(["schema"])
  expect(exitCode).toBe(0)
  const lines = stdout.trimEnd().split("\n").slice(1)
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(schemaKinds)
  expect(stdout).toContain("apis/workflow/<workflow>.json")
})

it.each(schemaKinds)("prints the schema %s, always the same", async (kind) => {
  const [first, second] = await Promise.all([callsheet(["schema", kind]), callsheet(["schema", kind])])
  expect(first).toMatchObject({ exitCode: 0, stderr: "" })
  expect(JSON.parse(first.stdout)).toMatchObject({ $id: `urn:callsheet:schema:${kind}:1` })
  expect(first.stdout).toBe(second.stdout)
})

it("suggests a kind for an unknown one", async () => {
  const { exitCode, stdout, stderr } = await callsheet(["schema", "workflows"])
  expect([exitCode, stdout]).toEqual([2, ""])
  expect(stderr).toContain('unknown schema "workflows" (usage)')
  expect(stderr).toContain('did you mean "workflow"?')
})

it("prints the variables that an API declares, without defaults of secrets", async () => {
  const { stdout, exitCode } = await callsheet(["schema", "environment-values", "--api", "shop"], {
    files: schema({
      baseUrl: { type: "string", required: true, description: "Where it is." },
      apiKey: { type: "string", required: true, secret: true, default: "S3CRET" },
    }),
  })
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    properties: {
      baseUrl: { type: ["string", "null"], description: "Where it is." },
      apiKey: { deprecated: true, doNotSuggest: true },
    },
    additionalProperties: false,
  })
  expect(stdout).not.toContain("S3CRET")
})

it("rejects an unknown API, one without a project, one with a broken schema, and one for another kind", async () => {
  const words = ["schema", "environment-values", "--api", "shop"]
  expect((await callsheet(words)).stderr).toContain("(project-missing)")
  const named = await callsheet(["schema", "environment-values", "--api", "shp"], { files: schema({}) })
  expect(named).toMatchObject({ exitCode: 2, stdout: "" })
  expect(named.stderr).toContain('did you mean "shop"?')
  const broken = await callsheet(words, { files: schema({ a: { type: "text", required: true } }) })
  expect(broken).toMatchObject({ exitCode: 2, stdout: "" })
  expect(broken.stderr).toContain("apis/shop/environments/schema.json:5:15: ")
  const other = await callsheet(["schema", "workflow", "--api", "shop"], { files: schema({}) })
  expect(other).toMatchObject({ exitCode: 2, stdout: "" })
})
