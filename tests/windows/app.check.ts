// The app on Windows: its link, its calls, and its end.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { callsheet, readText } from "../harness/callsheet.ts"
import { request } from "../run/shop-project.ts"
import { shopFolder } from "./windows.ts"

const workflow = { kind: "workflow", workflow: "w" }

it("opens a session by its link, reads, saves and runs, and ends", { timeout: 300_000 }, async () => {
  const { folder, api } = await shopFolder([request("get", { operation: "echo" })])
  const text = '{\r\n  "version": 1,\r\n  "blocks": []\r\n}\r\n'
  await writeFile(join(folder, "apis/workflow/other.json"), text)
  const app = await startCommand({ cwd: folder, env: {} })
  onTestFinished(() => void app.child.kill())
  const session = await app.enter()
  const call = async (name: string, input: object = {}) => {
    const { status, body } = await app.post(`/api/${name}`, input, session)
    return { status, value: JSON.parse(body) as Record<string, unknown> }
  }

  const project = await call("project.read")
  expect([project.status, JSON.stringify(project.value)]).toEqual([200, expect.not.stringContaining("\\\\")])

  const read = await call("files.read", { file: workflow })
  expect(read.value).toMatchObject({ path: "apis/workflow/w.json" })
  const changed = String(read.value["text"]).replace('"echo"', '"list"')
  const saved = await call("files.save", { file: workflow, etag: read.value["etag"], text: changed })
  expect([saved.status, await readText(folder, "apis/workflow/w.json")]).toEqual([200, changed])
  const outdated = { file: workflow, etag: read.value["etag"], text: changed.replace('"list"', '"create"') }
  expect((await call("files.save", outdated)).status).toBe(409)

  const other = { kind: "workflow", workflow: "other" }
  expect((await call("files.read", { file: other })).value["text"]).toBe(text)

  const written = await call("environments.read", { api: "shop" })
  expect([written.status, JSON.stringify(written.value)]).toEqual([200, expect.stringContaining("local")])
  expect(JSON.stringify(written.value)).not.toContain("s3cr3t-t0k3n")

  const again = await callsheet(["app", "--print-link"], { folder })
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(`:${app.port}/`)])
  await app.end("SIGTERM")
  expect(api.requests).toEqual([])
})
