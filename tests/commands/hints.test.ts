// Hints contain commands that work, and each problem is shown once.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import { rm } from "node:fs/promises"

const ping = {
  version: 1,
  blocks: [{ id: "ping", type: "request", request: { api: "shop", operation: "GET /ping" } }],
}

const projectOf = (url: string): Files => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: { "/ping": { get: { responses: { 200: { description: "Done." } } } } },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/a.json": {},
  "apis/shop/environments/b.json": { level: "staging", baseUrl: url },
  "apis/workflow/one.json": ping,
  "apis/workflow/two.json": ping,
})

describe("the hint about an environment", () => {
  it("is shown once and suggests a command that runs", async () => {
    const api = await startApi({ "GET /ping": { body: {} } })
    const folder = await createFolder(projectOf(api.url))
    try {
      const refused = await callsheet(["run", "--all"], { folder })
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr.match(/env-ambiguous/g)).toHaveLength(1)
      const [, command = ""] = /hint: try: callsheet (.*)\n/.exec(refused.stderr) ?? []
      expect(command).toBe("run one two --env shop=b")
      expect(await callsheet(command.split(" "), { folder })).toMatchObject({ exitCode: 0 })
    } finally {
      await api.close()
      await rm(folder, { recursive: true })
    }
  })
})

describe("callsheet", () => {
  it("prints the help if called without arguments", async () => {
    const { exitCode, stdout, stderr } = await callsheet([])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toBe((await callsheet(["--help"])).stdout)
  })

  it("suggests an option only if it is similar without its dashes", async () => {
    const hintFor = async (option: string) =>
      /hint: (.*)\n/.exec((await callsheet(["run", "one", option])).stderr)?.[1]
    expect(await hintFor("--roll")).toBe("see callsheet run --help")
    expect(await hintFor("--al")).toBe('did you mean "--all"?')
    expect(await hintFor("--timeouts")).toBe('did you mean "--timeout"?')
  })

  it("mentions init if no project is found", async () => {
    for (const words of [
      ["run", "one"],
      ["list", "--project", "."],
    ])
      expect((await callsheet(words)).stderr).toMatch(/\(project-missing\)\n {2}hint: .*callsheet init/)
  })

  it.runIf(process.platform === "linux")(
    "fails at once if it can't create a report's directory",
    async () => {
      const words = ["run", "one", "--env=b", "--reporter", "junit=/proc/nope/deep/x.xml"]
      const { exitCode, stderr } = await callsheet(words, {
        files: projectOf("http://127.0.0.1:9"),
        timeoutMs: 5000,
      })
      expect(exitCode).toBe(2)
      expect(stderr).toContain(`can't write the report "/proc/nope/deep/x.xml": `)
      expect(stderr).toContain("(report-failed)")
    },
  )
})
