// Checks the suggestions of `callsheet completion`, and that each shell accepts its script.

import { execFile, spawnSync } from "node:child_process"
import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { reporterNames } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callsheet, createFolder, program } from "../harness/callsheet.ts"
import { sampleRoot } from "../sample/document.ts"

let folder: string

beforeAll(async () => {
  folder = await createFolder()
  await cp(join(sampleRoot, "apis"), join(folder, "apis"), { recursive: true })
  await mkdir(join(folder, "bin"))
  await writeFile(join(folder, "bin/callsheet"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(join(folder, "bin/callsheet"), 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const commands = [
  "run",
  "validate",
  "list",
  "types",
  "schema",
  "init",
  "impact",
  "import",
  "generate",
  "probe",
  "export",
  "demo",
  "diff",
  "app",
  "mcp",
  "mock",
  "lsp",
  "completion",
  "env",
  "baseline",
  "report",
  "replay",
]
const environments = ["base", "local", "production", "staging", "tls"]

describe("completion candidates", () => {
  it.each<[typed: string, expected: readonly string[]]>([
    ["", commands],
    ["va", ["validate"]],
    ["env ", ["list", "read", "write", "delete", "rename"]],
    ["baseline ", ["update", "status", "prune"]],
    ["schema ba", ["baseline"]],
    ["run che", ["checkout"]],
    ["run --all --repo", ["--reporter"]],
    ["run --all --a", []],
    ["run --env a --en", ["--env"]],
    ["run --reporter ", [...reporterNames, "otlp"]],
    ["run --reporter=j", ["--reporter=json", "--reporter=junit"]],
    ["validate --format s", ["sarif"]],
    ["run --on-failure ", ["halt", "continue"]],
    ["run --env st", ["staging"]],
    ["run checkout --env payments=st", ["payments=staging"]],
    ["list w", ["workflows"]],
    ["schema w", ["workflow"]],
    ["env read ", ["payments", "shop"]],
    ["env read shop ", environments],
    ["env write --extends ", []],
    ["env write shop new --extends ", environments],
    ["env delete shop local ", []],
    ["completion ", ["bash", "zsh", "fish"]],
    ["--pro", ["--project"]],
    ["nonsense ", []],
  ])("after %j", async (typed, expected) => {
    const { stdout, exitCode } = await callsheet(["completion", "fish", "--", ...typed.split(" ")], {
      folder,
    })
    expect(exitCode).toBe(0)
    const texts = stdout.split("\n").map((line) => line.split("\t")[0] ?? "")
    expect(texts.filter((text) => text !== "").sort()).toEqual([...expected].sort())
  })

  it("come only from the tables outside a project, and follow --project", async () => {
    const cwd = "bin"
    const ask = async (...words: readonly string[]): Promise<string> => {
      const files = { "empty/a.txt": "" }
      return (await callsheet(["completion", "bash", "--", ...words], { files, cwd: "empty" })).stdout
    }
    expect(await ask("run", "")).toBe("")
    expect(await ask("run", "--project", join(folder, cwd, ".."), "ref")).toBe("refund\n")
  })
})

describe("the script", () => {
  it("completes in bash, also after an equals sign, where bash starts a new word", async () => {
    expect(await inBash(["run", "--reporter", "j"])).toEqual(["json", "junit"])
    expect(await inBash(["run", "--env", "shop", "=", "st"])).toEqual(["staging"])
    expect(await inBash(["run", "--env", "shop", "="])).toEqual(environments)
    expect(await inBash(["env", ""])).toEqual(["list", "read", "write", "delete", "rename"])
  })

  it("completes in fish", async () => {
    const { stdout } = await callsheet(["completion", "fish"], { folder })
    expect(stdout).toContain("complete -c callsheet ")
    if (!isInstalled("fish")) return
    const asked = `${stdout}\ncomplete -C 'callsheet run --env pay'`
    const printed = await inShell("fish", ["--no-config", "-c", asked])
    expect(printed.split("\n")).toContain("payments=staging")
  })

  it("is accepted by zsh", async () => {
    const { stdout } = await callsheet(["completion", "zsh"], { folder })
    expect(stdout.startsWith("#compdef callsheet\n")).toBe(true)
    const answer = await callsheet(["completion", "zsh", "--", "run", "--timeo"], { folder })
    expect(answer.stdout).toMatch(/^--timeout:\w[^:\n]+\n$/)
    if (!isInstalled("zsh")) return
    const found = `_describe() { print -l -- "\${(P@)2}" }; compdef() { }; ${stdout}\nwords=(callsheet env re); CURRENT=3; _callsheet`
    const printed = await inShell("zsh", ["-f", "-c", found])
    expect(printed.split("\n").map((line) => line.split(":")[0])).toEqual(["read", "rename", ""])
  })
})

async function inBash(words: readonly string[]): Promise<readonly string[]> {
  const typed = ["callsheet", ...words].map((word) => `'${word}'`).join(" ")
  const script = `source <(callsheet completion bash)
    COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _callsheet; printf '%s\\n' "\${COMPREPLY[@]}"`
  return (await inShell("bash", ["-c", script])).trimEnd().split("\n")
}

async function inShell(shell: string, words: readonly string[]): Promise<string> {
  const environment = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, HOME: folder }
  return (await promisify(execFile)(shell, words, { cwd: folder, env: environment })).stdout
}

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).error === undefined
