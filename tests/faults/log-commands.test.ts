// Text from a server, a script or a file never becomes a command to the CI system that shows the log.

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"

/** Azure Pipelines and GitHub Actions read `##…[` anywhere in a line, TeamCity and `::name::` after leading spaces. */
const command = /##[a-z]*\[|^\s*::/im
const attack = [
  "##vso[task.setvariable variable=PATH]/tmp",
  "x ##[add-mask]y",
  "##teamcity[buildStatus]",
  "::set-output name=a::b",
  " \u00a0::add-mask::c",
].join("\n")

const files = (baseUrl: string) => ({
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl },
  "apis/shop/requests/tools/look.json": { version: 1, method: "GET", path: "/look" },
  "apis/workflow/scripts/w/s.ts": `
    export function boom(ctx) {
      console.log(${JSON.stringify(attack)})
      throw new Error(${JSON.stringify(attack)})
    }`,
  "apis/workflow/w.json": {
    version: 1,
    onFailure: "continue",
    blocks: [
      { id: "look", type: "request", request: { api: "shop", instance: "look" } },
      {
        id: "same",
        type: "assert",
        assertions: [{ source: "look.response.body", operator: "equals", value: 1 }],
      },
      { id: "boom", type: "script", script: { name: "s", exportName: "boom" } },
    ],
  },
})

describe("text from outside", () => {
  it.each(
    ["pretty", "json", "junit", "html", "ndjson", "ctrf", "har"].flatMap((name) => [
      [name, "on the screen"] as const,
      [name, "in a file"] as const,
    ]),
  )("gives a CI system no command through %s %s", async (reporter, place) => {
    const api = await startApi({ "GET /look": { body: { attack }, headers: { "x-attack": "##vso[a]b" } } })
    const folder = await createFolder(files(api.url))
    onTestFinished(async () => {
      await api.close()
      await rm(folder, { recursive: true, force: true })
    })
    const target = place === "in a file" ? `${reporter}=report.txt` : reporter
    const { stdout, stderr, exitCode } = await callsheet(["run", "w", `--reporter=${target}`], { folder })
    expect(exitCode, stderr).toBe(1)
    const report = place === "in a file" ? await readFile(join(folder, "report.txt"), "utf8") : stdout
    expect(report).toContain("task.setvariable")
    expect(report).toContain("set-output")
    for (const text of [report, stdout, stderr]) expect(command.exec(text)?.[0]).toBeUndefined()
    if (reporter === "json") expect(logsOf(JSON.parse(report))).toContain(attack.split("\n")[0])
  })

  it.each(["text", "json", "sarif"])("gives it none through validate --format %s", async (format) => {
    const { stdout, stderr, exitCode } = await callsheet(["validate", `--format=${format}`], {
      files: { "apis/workflow/w.json": { version: 1, blocks: [], "##vso[a]": 1, "##[b]\u202e": 2 } },
    })
    expect(exitCode, stderr).toBe(1)
    expect(stdout).toContain("vso[a]")
    expect(stdout).not.toContain("\u202e")
    expect(command.exec(stdout)?.[0]).toBeUndefined()
  })

  it("gives GitHub only callsheet's own annotations through validate --format github", async () => {
    const { stdout } = await callsheet(["validate", "--format=github"], {
      files: { "apis/workflow/w.json": { version: 1, blocks: [], "##[add-mask]x": 1 } },
    })
    expect(stdout).toMatch(/^::error file=/)
    expect(stdout).not.toContain("##[")
  })

  it("is unchanged for a program that reads one value", async () => {
    const { stdout } = await callsheet(["env", "read", "shop", "local", "baseUrl"], {
      files: files("http://h/##[x]"),
    })
    expect(stdout).toBe("http://h/##[x]\n")
  })
})

const logsOf = (report: {
  readonly runs: readonly { readonly blocks: readonly { readonly logs?: string[] }[] }[]
}) =>
  report.runs.flatMap(({ blocks }) =>
    blocks.flatMap(({ logs = [] }) => logs.flatMap((log) => log.split("\n"))),
  )
