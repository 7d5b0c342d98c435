// Before the user trusts a workspace, nothing of it runs. No secret leaves the server.

import { chmodSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createFolder } from "../harness/callsheet.ts"
import { git } from "../mcp/git.ts"
import { pulls, startEditor } from "./client.ts"

const secret = "canary-8f3a51"
const script = `import { writeFileSync } from "node:fs"
writeFileSync("ran", "")
export const go = () => 1
`

const files = {
  "apis/workflow/a.json": {
    version: 1,
    blocks: [{ id: "s", type: "script", script: { name: "s", exportName: "missing" } }],
  },
  "apis/workflow/scripts/a/s.ts": script,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { token: { type: "string", required: true, secret: true } },
  },
  "apis/shop/environments/local.json": {},
  "apis/shop/environments/local.secrets.env": `token=${secret}\n`,
  "node_modules/callsheet/package.json": { name: "callsheet", version: "99.0.0", main: "index.js" },
  "node_modules/callsheet/index.js": `require("fs").writeFileSync("ran", "")`,
  "bin/hostile": "#!/bin/sh\ntouch ran\n",
}

/** Opens a hostile workspace. With `fakesGit`, git is a program that leaves a trace. */
async function open(initializationOptions: unknown, { fakesGit }: { readonly fakesGit: boolean }) {
  const folder = await createFolder(files)
  const tools = await createFolder({ git: '#!/bin/sh\ntouch "$(dirname "$0")/asked"\n' })
  onTestFinished(() => [folder, tools].forEach((each) => rmSync(each, { recursive: true, force: true })))
  for (const file of [join(folder, "bin/hostile"), join(tools, "git")]) chmodSync(file, 0o755)
  git(folder, "init")
  git(folder, "config", "core.fsmonitor", join(folder, "bin/hostile"))
  git(folder, "config", "core.hooksPath", join(folder, "bin"))
  const path = process.env["PATH"] ?? ""
  const editor = await startEditor({
    folder,
    capabilities: pulls,
    initializationOptions,
    env: { PATH: fakesGit ? `${tools}:${path}` : path, API_TOKEN: secret },
  })
  onTestFinished(editor.dispose)
  await editor.open("apis/workflow/a.json")
  await editor.open("apis/shop/environments/local.secrets.env")
  await editor.pull("apis/workflow/a.json")
  return {
    editor,
    all: await editor.pullAll(),
    hasRun: existsSync(join(folder, "ran")),
    hasAsked: existsSync(join(tools, "asked")),
  }
}

describe("before trust", () => {
  it.each([[undefined], [{}], [{ trusted: false }], [{ trusted: "yes" }], [7]])(
    "nothing of a hostile workspace runs, with %j",
    async (options) => {
      const { editor, all, hasRun, hasAsked } = await open(options ?? { trusted: null }, { fakesGit: true })
      // The script was read, but not run.
      expect(all.get(editor.uri("apis/workflow/a.json"))?.[0]).toMatchObject({ code: "script-missing" })
      expect({ hasRun, hasAsked }).toEqual({ hasRun: false, hasAsked: false })
    },
  )
})

describe("with trust", () => {
  it("git is asked", async () => {
    expect(await open({ trusted: true }, { fakesGit: true })).toMatchObject({ hasRun: false, hasAsked: true })
  })

  it("git runs no program of the workspace, and neither does the server", async () => {
    const { editor, all, hasRun } = await open({ trusted: true }, { fakesGit: false })
    const [problem] = all.get(editor.uri("apis/shop/environments/local.secrets.env")) ?? []
    expect(problem).toMatchObject({ code: "secrets-unignored" })
    expect(hasRun).toBe(false)
  })
})

describe("a secret", () => {
  it("is in no message of the server while its file and its uses are broken", async () => {
    const { editor } = await open({ trusted: true }, { fakesGit: false })
    await editor.notify("$/setTrace", { value: "verbose" })
    const path = "apis/shop/environments/local.secrets.env"
    for (const text of [
      `token=${secret}\n`,
      `token=${secret} x"\n`,
      `token\n${secret}\n`,
      `tken="${secret}\n`,
    ]) {
      await editor.change(path, text)
      await editor.pull(path)
      await editor.pullAll()
    }
    await editor.open("apis/shop/environments/local.json", `{ "values": { "token": "${secret}" `)
    await editor.pull("apis/shop/environments/local.json")
    await editor.pullAll()
    await editor.quit()
    expect(editor.output() + editor.errors()).not.toContain(secret)
  })
})
