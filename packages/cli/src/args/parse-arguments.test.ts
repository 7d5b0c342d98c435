import { describe, expect, it } from "vitest"
import type { CommandRow } from "./command.ts"
import { table } from "../commands/index.ts"
import { renderHelp } from "./help.ts"
import { parseArguments, type Misuse } from "./parse-arguments.ts"
import { misuse } from "../report-error.ts"
import { plain } from "../screen.ts"

const parse = (...argv: string[]) => parseArguments(argv, table)

function call(...argv: string[]) {
  const parsed = parse(...argv)
  if (parsed.kind !== "call") throw new Error(`not a call but ${JSON.stringify(parsed)}`)
  return parsed
}

function wrong(...argv: string[]): Misuse {
  const parsed = parse(...argv)
  if (parsed.kind !== "misuse") throw new Error(`not misuse but ${parsed.kind}`)
  return parsed
}

describe("parseArguments", () => {
  it("accepts values with and without an equals sign", () => {
    const { options } = call("run", "checkout", "--env", "shop=staging", "--env=pay=local")
    expect(options.values("env")).toEqual(["shop=staging", "pay=local"])
  })

  it("splits an option only at its first equals sign", () => {
    expect(call("run", "x", "--var=a.b=c=d").options.values("var")).toEqual(["a.b=c=d"])
  })

  it("accepts options before, between and after words", () => {
    const parsed = call("--project", "run", "run", "--env", "local", "a", "--yes", "b")
    expect(parsed.words).toEqual(["a", "b"])
    expect(parsed.options.value("project")).toBe("run")
    expect(parsed.options.has("yes")).toBe(true)
  })

  it("treats option values before the command's name as values", () => {
    expect(call("--env", "list", "run", "a").row.name).toBe("run")
  })

  it("ends options at two dashes", () => {
    expect(call("env", "write", "shop", "local", "--", "--odd=1", "--help").words).toEqual([
      "shop",
      "local",
      "--odd=1",
      "--help",
    ])
  })

  it("reads the value of an option with an optional value only after an equals sign", () => {
    const alone = call("run", "--inspect-scripts", "checkout")
    expect(alone.words).toEqual(["checkout"])
    expect(alone.options.has("inspect-scripts")).toBe(true)
    expect(alone.options.value("inspect-scripts")).toBe(undefined)
    expect(call("--inspect-scripts", "run", "a").options.has("inspect-scripts")).toBe(true)
    expect(call("run", "a", "--inspect-scripts=9230").options.value("inspect-scripts")).toBe("9230")
    expect(misuse(wrong("run", "a", "--inspect-scripts", "--inspect-scripts=1")).message).toContain(
      "is given twice",
    )
  })

  it("accepts a single dash as a word and as a value", () => {
    expect(call("run", "-").words).toEqual(["-"])
    expect(call("run", "a", "--input", "-").options.values("input")).toEqual(["-"])
  })

  it("finds commands of two words", () => {
    expect(call("env", "read", "shop", "local").row.name).toBe("env read")
  })

  it("suggests the closest option", () => {
    expect(misuse(wrong("run", "a", "--repoter", "json")).hint).toBe('did you mean "--reporter"?')
  })

  it.each([
    [["run", "a", "--env"], "--env needs a value"],
    [["run", "a", "--env", "--yes"], "--env needs a value"],
    [["run", "a", "--yes=true"], "--yes takes no value"],
    [["run", "a", "--seed", "1", "--seed", "2"], "--seed is given twice"],
    [["env", "read", "shop"], "<environment> is missing"],
    [["env", "delete", "a", "b", "c"], "too many arguments"],
    [["list", "things"], "<what> must be one of"],
    [["--json"], "no command given"],
    [["env"], '"env" needs one of these commands: list, read, write, delete, rename'],
    [["constructor"], 'unknown command "constructor"'],
    [["run", "a", "--__proto__"], 'unknown option "--__proto__"'],
  ])("rejects %j", (argv, message) => {
    expect(misuse(wrong(...argv)).message).toContain(message)
  })

  it.each([
    ["run", "a", "--vra", "shop.apiKey=S3CRET"],
    ["--vra", "shop.apiKey=S3CRET", "run"],
    ["run", "a", "--vra=shop.apiKey=S3CRET"],
    ["env", "delete", "shop", "local", "apiKey=S3CRET"],
    ["run", "a", "--yes=S3CRET"],
  ])("keeps a value out of the message: %j", (...argv) => {
    const error = misuse(wrong(...argv))
    expect(`${error.message} ${error.hint}`).not.toContain("S3CRET")
  })

  it.each([
    [["--help"], ""],
    [[], ""],
    [["help"], ""],
    [["-h"], ""],
    [["env", "--help"], "env"],
    [["help", "env", "list"], "env list"],
    [["run", "--frobnicate", "--help"], "run"],
    [["run", "a", "--help"], "run"],
  ])("shows help for %j", (argv, about) => {
    expect(parse(...argv)).toEqual({ kind: "help", about })
  })

  it("shows the version at every level", () => {
    expect(parse("--version")).toEqual({ kind: "version" })
    expect(parse("env", "list", "--version")).toEqual({ kind: "version" })
  })

  it("gives an option the same kind of value in both commands that share it", () => {
    const kinds = new Map<string, boolean>()
    for (const { name, value } of [...table.common(), ...table.commands.flatMap((row) => row.options())]) {
      expect(kinds.get(name) ?? value !== undefined).toBe(value !== undefined)
      kinds.set(name, value !== undefined)
    }
  })
})

describe("renderHelp", () => {
  it("lists every command, and every option of each", () => {
    const overview = renderHelp("", table, plain)
    for (const row of table.commands) {
      expect(overview).toContain(row.name)
      const help = renderHelp(row.name, table, plain)
      for (const { name } of [...row.options(), ...table.common()]) expect(help).toContain(`--${name}`)
      for (const { name } of row.arguments) expect(help).toContain(name)
    }
  })

  it("shows how a command is called", () => {
    expect(renderHelp("env read", table, plain)).toContain(
      "callsheet env read <api> <environment> [<name>] [options]",
    )
    expect(renderHelp("run", table, plain)).toContain(
      "callsheet run <workflow>... | --all | --suite <name> [options]",
    )
    expect(renderHelp("run", table, plain)).toContain("  --inspect-scripts[=<port>]  ")
  })

  it("fits a terminal of 120 columns", () => {
    const names = ["", "env", ...table.commands.map((row: CommandRow) => row.name)]
    for (const name of names) {
      for (const line of renderHelp(name, table, plain).split("\n")) expect(line.length).toBeLessThan(121)
    }
  })
})
