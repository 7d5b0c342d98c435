// `--watch --reporter ndjson` lets a program watch, such as an editor, which has no terminal.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import type { RunEvent } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { commandLine, createFolder, writeFiles } from "../harness/callsheet.ts"
import { request, shopFiles } from "./shop-project.ts"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": { status: 204 } })
})
afterAll(() => api.close())

type Line = RunEvent | { readonly type: "session.finished" }

describe("run --watch --reporter ndjson", () => {
  it("writes the events of each run, and ends with standard input", async () => {
    const folder = await createFolder(shopFiles(api.url, [request("first", { operation: "echo" })]))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const watching = spawn(...commandLine(["run", "w", "--watch", "--reporter", "ndjson"]), {
      cwd: folder,
    })
    onTestFinished(() => void watching.kill())
    const sessions: string[][] = [[]]
    for await (const text of createInterface(watching.stdout)) {
      const line = JSON.parse(text) as Line
      if (line.type === "block.started") sessions.at(-1)?.push(line.id)
      if (line.type !== "session.finished") continue
      if (sessions.push([]) === 2)
        await writeFiles(folder, shopFiles(api.url, [request("second", { operation: "echo" })]))
      // Files that are written one after another may start a run each.
      else if (sessions.at(-2)?.includes("second") === true) watching.stdin.end()
    }
    expect([sessions[0], sessions.at(-2), sessions.at(-1)]).toEqual([["first"], ["second"], []])
    if (watching.exitCode === null) await once(watching, "exit")
    expect(watching.exitCode).toBe(0)
  })
})
