// Checks runs of the real command: it starts the processes that it needs, and ends them when it exits.

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { makeFolder } from "../app-project/open-project.ts"
import { startCommand } from "../app-server/start-command.ts"
import { startApi } from "../harness/api-server.ts"
import { shopFiles } from "../run/shop-project.ts"
import { until } from "./open-runs.ts"

it("`callsheet app` stops its runs when it stops, and keeps their reports", async () => {
  const api = await startApi({ "*": () => new Promise(() => undefined) })
  onTestFinished(api.close)
  const request = { api: "shop", operation: "echo" }
  const cwd = await makeFolder(shopFiles(api.url, [{ id: "slow", type: "request", request }]))
  const state = await makeFolder({})
  const command = await startCommand({ cwd, env: { XDG_STATE_HOME: state, HOME: state } })
  onTestFinished(() => void command.child.kill("SIGKILL"))
  const order = { workflow: "w", environments: {}, inputs: {} }
  const answer = await command.post("/api/runs.start", order, await command.enter())
  const { run } = JSON.parse(answer.body) as { run: string }
  await until(() => api.requests.length === 1)
  expect(api.requests[0]?.headers["user-agent"]).toMatch(/^callsheet\/\d/)
  expect(await command.end("SIGTERM")).toBe(143)
  const folder = join(state, "callsheet/runs")
  const [project = ""] = await readdir(folder)
  const kept = await readFile(join(folder, project, `${run}.json`), "utf8")
  expect(kept).toContain('"id":"slow","type":"request","status":"skipped","durationMs":')
  expect(command.stderr()).not.toContain("bug")
})
