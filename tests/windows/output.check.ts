// Standard output, temporary files and Ctrl-C on Windows.

import { readdir } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, readText } from "../harness/callsheet.ts"
import { openTerminal } from "../harness/terminal.ts"
import { request, shopFiles } from "../run/shop-project.ts"
import { preloading, programs, shopFolder, testFolder } from "./windows.ts"

it("prints the help, although Windows can't describe standard output", async () => {
  const { exitCode, stdout, stderr } = await callsheet(["--help"])
  expect([exitCode, stderr]).toEqual([0, ""])
  expect(stdout).toContain("Usage")
})

it("leaves no temporary file, even if the process is killed", async () => {
  const { folder } = await shopFolder([
    request("get", { operation: "postEcho", overrides: { body: { text: "x".repeat(1000) } } }),
  ])
  const temporary = join(programs.prefix, "drive_c/users", userInfo().username, "Temp")
  const ours = async () => (await readdir(temporary)).filter((name) => /^callsheet-(?!locks)/.test(name))
  const before = await ours()
  const verified = await callsheet(["run", "w", "--verify-no-leak"], { folder })
  expect(verified.exitCode).toBe(0)
  const kill = "process.on('exit', () => (console.error('killed'), process.kill(process.pid, 'SIGKILL')))"
  const killed = await callsheet(["run", "w", "--verify-no-leak"], {
    folder,
    files: { "kill.cjs": kill },
    env: preloading(join(folder, "kill.cjs")),
  })
  expect([killed.exitCode, killed.stderr]).toEqual([1, "killed\n"])
  expect(await ours()).toEqual(before)
})

describe("Ctrl-C in a console", () => {
  const open = (words: readonly string[], folder: string) => {
    const terminal = openTerminal(words, {
      folder,
      runtime: [programs.wine, programs.node],
      env: programs.env,
    })
    onTestFinished(terminal.close)
    return terminal
  }

  it("ends a run with 130, and writes its report", async () => {
    let received = (): void => undefined
    const isReceived = new Promise<void>((resolve) => (received = resolve))
    const api = await startApi({
      "*": () => {
        received()
        return new Promise(() => undefined)
      },
    })
    onTestFinished(() => api.close())
    const folder = await testFolder(shopFiles(api.url, [request("get", { operation: "echo" })]))
    const terminal = open(["run", "w", "--reporter=json=report.json"], folder)
    await isReceived
    terminal.press("\u0003")
    expect(await terminal.ended).toBe(130)
    expect(await readText(folder, "report.json")).toContain('"cancelled"')
  })
})
