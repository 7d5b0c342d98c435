// callsheet against two third-party servers, with their own documents. Loopback only.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cutFigmaDocument, figmaDocument } from "./figma-document.ts"
import { installServers } from "./install.ts"
import { allBlocks, copyProject, findings, type TestProject } from "./project.ts"
import { startMock, startTodoServer, type RunningServer } from "./servers.ts"

const installsWithinMs = 150_000

describe("LoopBack's todo server, with the OpenAPI 3.0 document that it serves", () => {
  let server: RunningServer | undefined
  let project: TestProject | undefined

  beforeAll(async () => {
    await installServers()
    server = await startTodoServer()
    project = copyProject("todo")
    const document = await fetch(`${server.url}/openapi.json`)
    // The document as served. Its `servers` receive the requests.
    project.write("apis/todo/openapi.json", await document.text())
  }, installsWithinMs)

  afterAll(async () => {
    await server?.stop()
    project?.remove()
  })

  it("validates without errors", () => {
    expect(running(project).errors()).toEqual([])
  })

  it("creates, reads, updates, polls, lists and deletes, and every response matches the contract", async () => {
    const { report, exitCode } = await running(project).run("life-of-a-todo", "--input", "title=Pour the tea")
    expect(findings(report)).toEqual([])
    expect(exitCode).toBe(0)
    expect(contractsOf(report.blocks)).toEqual(["passed"])
    expect(report.counts.failed).toBe(0)
  })

  it("polls until another client has changed the todo", async () => {
    const [{ report, exitCode }] = await Promise.all([
      running(project).run("wait-for-another"),
      completeOnceCreated(running(server).url),
    ])
    expect(findings(report)).toEqual([])
    expect(exitCode).toBe(0)
    const [create, poll] = report.blocks
    expect(create?.response?.body).toMatchObject({ isComplete: false })
    expect(poll?.iterations?.at(-1)?.blocks[0]?.response?.body).toMatchObject({ isComplete: true })
  })

  it("finds the two responses that are missing from the server's document, and nothing else", async () => {
    const { report, exitCode } = await running(project).run("undocumented-answers")
    expect(exitCode).toBe(1)
    expect(report.blocks.map(({ id, status }) => [id, status])).toEqual([
      ["untitled", "failed"],
      ["nobody", "failed"],
      ["statuses", "passed"],
    ])
    expect(findings(report)).toEqual([
      "untitled: contract-broken",
      expect.stringMatching(/^untitled: \/status .*422/),
      "nobody: contract-broken",
      expect.stringMatching(/^nobody: \/status .*404/),
    ])
  })
})

describe("Prism's mock of Figma's API, with Figma's OpenAPI 3.1 document", () => {
  const token = "figd-4f1c9b2e7a"
  let server: RunningServer | undefined
  let project: TestProject | undefined

  beforeAll(async () => {
    await installServers()
    server = await startMock(cutFigmaDocument(["Webhooks", "Dev Resources"]))
    project = copyProject("figma")
    const environment = JSON.stringify({ baseUrl: server.url })
    project.write("apis/figma/openapi.yaml", figmaDocument())
    project.write("apis/figma/environments/local.json", environment)
    project.write(
      "apis/figma/environments/local.secrets.env",
      `PersonalAccessToken=${token}\npasscode=tea-and-cake\n`,
    )
    project.write("apis/figma/environments/anonymous.json", environment)
  }, installsWithinMs)

  afterAll(async () => {
    await server?.stop()
    project?.remove()
  })

  it("validates without errors", () => {
    expect(running(project).errors()).toEqual([])
  })

  it("creates, reads, updates, lists, polls and deletes a webhook, and every response matches the contract", async () => {
    const { report, exitCode } = await running(project).run("webhook", "--env", "figma=local")
    expect(findings(report)).toEqual([])
    expect(exitCode).toBe(0)
    expect(contractsOf(report.blocks)).toEqual(["passed"])
  })

  it("shows neither the token nor the passcode that it sent", async () => {
    const { report, stdout, stderr } = await running(project).run("webhook", "--env", "figma=local")
    expect(report.blocks[0]?.request?.headers).toMatchObject({ "x-figma-token": "***" })
    for (const secret of [token, "tea-and-cake"]) expect(stdout + stderr).not.toContain(secret)
  })

  // Figma's document requires `links_created` in the response to PUT, but names the property `links_updated`. The mock
  // generates responses from the properties, so it violates the document, as Figma itself would.
  it("finds the property that Figma's document requires under the wrong name, and nothing else", async () => {
    const { report, exitCode } = await running(project).run("dev-resources", "--env", "figma=local")
    expect(exitCode).toBe(1)
    expect(findings(report)).toEqual([
      "update: contract-broken",
      expect.stringMatching(/^update: \/body\/links_created /),
    ])
  })

  // The document lists no 401 for webhooks. Prism responds with its own if the token is missing.
  it("sends no token if the environment has none, and finds the undocumented response", async () => {
    const { report, exitCode } = await running(project).run("without-a-token", "--env", "figma=anonymous")
    expect(exitCode).toBe(1)
    expect(report.blocks.map(({ id, status }) => [id, status])).toEqual([
      ["list", "failed"],
      ["refused", "passed"],
    ])
    expect(findings(report)).toEqual([
      "list: contract-broken",
      expect.stringMatching(/^list: \/status .*401/),
    ])
  })
})

/** The distinct contract verdicts. */
function contractsOf(blocks: Parameters<typeof allBlocks>[0]): readonly string[] {
  return [...new Set(allBlocks(blocks).flatMap((block) => block.contract?.status ?? []))]
}

/** Another client: completes the first open todo shortly after it appears. */
async function completeOnceCreated(url: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const open = await fetch(`${url}/todos?filter=${encodeURIComponent('{"where":{"isComplete":false}}')}`)
    const [todo] = (await open.json()) as { id: number }[]
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (todo === undefined) continue
    await fetch(`${url}/todos/${todo.id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ isComplete: true }),
    })
    return
  }
}

function running<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("it did not start")
  return value
}
