import { describe, expect, it } from "vitest"
import { CallsheetError } from "@callsheet/format"
import { parseArguments } from "../args/parse-arguments.ts"
import { table } from "./index.ts"
import { readRunOptions } from "./read-run-options.ts"

function read(...argv: string[]) {
  const parsed = parseArguments(["run", ...argv], table)
  if (parsed.kind !== "call") throw new Error(parsed.kind)
  return readRunOptions(parsed.words, parsed.options, "/project")
}

function refusal(...argv: string[]): string {
  try {
    read(...argv)
  } catch (error) {
    if (error instanceof CallsheetError) return `${error.code}: ${error.message} | ${error.hint}`
    throw error
  }
  throw new Error("the call was accepted")
}

describe("readRunOptions", () => {
  it("splits an assignment at the first equals sign, and the API off at the first dot", () => {
    const options = read(
      "x",
      "--var",
      "shop.api-key=c=d.e",
      "--input",
      "a=b=c",
      "--input",
      "empty=",
      "--env",
      "shop=s",
    )
    expect(options.variables).toEqual([{ api: "shop", name: "api-key", value: "c=d.e" }])
    expect(options.session.inputs).toEqual({ a: "b=c", empty: "" })
    expect(options.session.environments).toEqual({ shop: "s" })
  })

  it("distinguishes a bare environment from one for an API", () => {
    expect(read("x", "--env", "staging", "--env", "pay=local").session).toMatchObject({
      environment: "staging",
      environments: { pay: "local" },
    })
  })

  it("reads sizes and numbers", () => {
    const words = "x --max-response-size 2MiB --timeout 1500 --concurrency 8 --seed 0"
    const { session } = read(...words.split(" "))
    expect(session).toMatchObject({ maxResponseBytes: 2_097_152, timeoutMs: 1500, concurrency: 8, seed: 0 })
    expect(read("x", "--max-response-size=64kib").session.maxResponseBytes).toBe(65_536)
    expect(read("x", "--max-response-size=1000").session.maxResponseBytes).toBe(1000)
  })

  it("waits for a debugger at the given port, or at the default one", () => {
    expect(read("x").inspectPort).toBeUndefined()
    expect(read("--inspect-scripts", "x")).toMatchObject({ selection: { wanted: ["x"] }, inspectPort: 9229 })
    expect(read("x", "--inspect-scripts=0", "--concurrency", "8")).toMatchObject({
      inspectPort: 0,
      session: { concurrency: 8 },
    })
    expect(read("x", "--inspect-scripts=65535").inspectPort).toBe(65_535)
  })

  it("shows pretty next to reporters that write files, but not next to one on standard output", () => {
    expect(read("x", "--reporter", "junit=out/r.xml").reporters).toEqual([
      { name: "pretty" },
      { name: "junit", file: { path: "/project/out/r.xml", shown: "out/r.xml" } },
    ])
    expect(
      read("x", "--reporter", "json", "--reporter", "pretty=p.txt").reporters.map(({ name }) => name),
    ).toEqual(["json", "pretty"])
    expect(read("x", "--json").reporters).toEqual([{ name: "json" }])
  })

  it("keeps names that objects inherit", () => {
    expect(Object.entries(read("x", "--input", "__proto__=1").session.inputs ?? {})).toEqual([
      ["__proto__", "1"],
    ])
  })

  it.each([
    [[], "usage: no workflow given"],
    [["x", "--all"], "--all runs every workflow"],
    [["x", "--env", "a", "--env", "b"], "--env a and --env b both apply to all APIs"],
    [["x", "--env", "shop=a", "--env", "shop=b"], "--env shop=… is given twice"],
    [["x", "--env", "=a"], "--env must have the form [<api>=]<environment>"],
    [["x", "--env", "shop="], "--env must have the form [<api>=]<environment>"],
    [["x", "--env", ""], "--env must have the form [<api>=]<environment>"],
    [["x", "--input", "S3CRET"], "--input must have the form <name>=<value>"],
    [["x", "--input", "a=S3CRET", "--input", "a=S3CRET"], "--input a=… is given twice"],
    [["x", "--var", "shop=S3CRET"], "--var must have the form <api>.<name>=<value>"],
    [["x", "--var", "S3CRET"], "--var must have the form <api>.<name>=<value>"],
    [["x", "--var", ".a=S3CRET"], "--var must have the form <api>.<name>=<value>"],
    [["x", "--var", "a.b=-", "--var", "a.c=-"], "standard input can set only one value, not a.b and a.c"],
    [["x", "--reporter", "jsn"], 'did you mean "json"?'],
    [["x", "--reporter", "constructor"], "choose one of pretty, json, junit"],
    [["x", "--reporter", "json="], "must name a file"],
    [
      ["x", "--reporter", "json", "--reporter", "junit"],
      "two reporters write to standard output: json and junit",
    ],
    [["x", "--json", "--reporter", "pretty"], "two reporters write to standard output"],
    [["x", "--reporter", "json=a", "--reporter", "junit=./a"], 'two reporters write to the file "./a"'],
    [["x", "--on-failure", "contine"], 'did you mean "continue"?'],
    [["x", "--timeout", "0"], "--timeout must be"],
    [["x", "--timeout", "2147483648"], "--timeout must be"],
    [["x", "--timeout", "1e3"], "--timeout must be"],
    [["x", "--concurrency", "0"], "--concurrency must be"],
    [["x", "--concurrency", "-1"], "--concurrency must be"],
    [["x", "--max-response-size", "1GB"], "--max-response-size must be"],
    [["x", "--max-response-size", "0"], "--max-response-size must be"],
    [["x", "--inspect-scripts="], "--inspect-scripts takes a port"],
    [["x", "--inspect-scripts=-1"], "--inspect-scripts takes a port"],
    [["x", "--inspect-scripts=65536"], "--inspect-scripts takes a port"],
    [["x", "--inspect-scripts=0x10"], "--inspect-scripts takes a port"],
    [["x", "--inspect-scripts=0.0.0.0:9229"], "it listens only on 127.0.0.1"],
    [["x", "--seed", "-1"], "--seed must be"],
    [["x", "--seed", "99999999999999999"], "--seed must be"],
  ])("rejects %j", (argv, text) => {
    expect(refusal(...argv)).toContain(text)
    expect(refusal(...argv)).not.toContain("S3CRET")
  })
})
