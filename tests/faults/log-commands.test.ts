// What a server, a script or a file says never becomes a command to the CI system whose log shows it.

import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"

/** Azure Pipelines and GitHub Actions read `##…[` anywhere in a line, TeamCity and `::name::` behind blanks at its start. */
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
  it.each(["pretty", "json", "junit"])("gives a CI system no command by way of %s", async (reporter) => {
    const api = await startApi({ "GET /look": { body: { attack }, headers: { "x-attack": "##vso[a]b" } } })
    onTestFinished(() => api.close())
    const { stdout, stderr, exitCode } = await callsheet(["run", "w", `--reporter=${reporter}`], {
      files: files(api.url),
    })
    expect(exitCode, stderr).toBe(1)
    expect(stdout).toContain("task.setvariable")
    expect(stdout).toContain("set-output")
    expect(command.exec(stdout)?.[0]).toBeUndefined()
    expect(command.exec(stderr)?.[0]).toBeUndefined()
    if (reporter === "json") expect(logsOf(JSON.parse(stdout))).toContain(attack.split("\n")[0])
  })

  it.each(["text", "json", "sarif"])("gives it none by way of validate --format %s", async (format) => {
    const { stdout, stderr, exitCode } = await callsheet(["validate", `--format=${format}`], {
      files: { "apis/workflow/w.json": { version: 1, blocks: [], "##vso[a]": 1, "##[b]": 2 } },
    })
    expect(exitCode, stderr).toBe(1)
    expect(stdout).toContain("vso[a]")
    expect(command.exec(stdout)?.[0]).toBeUndefined()
  })

  it("gives GitHub only callsheet's own annotations by way of validate --format github", async () => {
    const { stdout } = await callsheet(["validate", "--format=github"], {
      files: { "apis/workflow/w.json": { version: 1, blocks: [], "##[add-mask]x": 1 } },
    })
    expect(stdout).toMatch(/^::error file=/)
    expect(stdout).not.toContain("##[")
  })

  it("stays as it is for a program that reads one value", async () => {
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
