// The projects of an editor's workspace: where they are, which one owns a file, and what changes on disk.

import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import { describe, expect, it, onTestFinished } from "vitest"
import { createFolder, writeFiles, type Files } from "../harness/callsheet.ts"
import { git } from "../mcp/git.ts"
import { pulls, startEditor, type Editor, type EditorOptions } from "./client.ts"

const broken = { version: 2, blocks: [] }
const sound = { version: 1, blocks: [] }
const watching: ClientCapabilities = {
  ...pulls,
  workspace: { ...pulls.workspace, didChangeWatchedFiles: { dynamicRegistration: true } },
}

async function folderWith(files: Files): Promise<string> {
  const folder = realpathSync(await createFolder(files))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function edit(options: EditorOptions): Promise<Editor> {
  const editor = await startEditor({ capabilities: pulls, ...options })
  onTestFinished(editor.dispose)
  return editor
}

/** Returns the files with problems, by path from the folder. */
const filesOf = async (editor: Editor): Promise<readonly string[]> =>
  [...(await editor.pullAll()).keys()].map((uri) => uri.replace(`${editor.uri("")}/`, "")).sort()

describe("projects", () => {
  it("are all directories with apis below the folders of a workspace", async () => {
    const folder = await folderWith({
      "one/apis/workflow/a.json": broken,
      "one/inner/apis/workflow/b.json": broken,
      "two/deep/er/apis/workflow/c.json": broken,
      "node_modules/x/apis/workflow/d.json": broken,
      ".hidden/apis/workflow/e.json": broken,
      "elsewhere/apis/workflow/f.json": broken,
    })
    const editor = await edit({ folder, workspace: ["one", "two"] })
    expect(await filesOf(editor)).toEqual([
      "one/apis/workflow/a.json",
      "one/inner/apis/workflow/b.json",
      "two/deep/er/apis/workflow/c.json",
    ])
  })

  it("aren't those that git ignores", async () => {
    const folder = await folderWith({
      ".gitignore": "build/\n",
      "build/copy/apis/workflow/a.json": broken,
      "kept/apis/workflow/b.json": broken,
    })
    git(folder, "init")
    expect(await filesOf(await edit({ folder }))).toEqual(["kept/apis/workflow/b.json"])
  })

  it("include the nearest above an open file", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": broken, "work/readme.txt": "" })
    const editor = await edit({ folder, workspace: ["work"] })
    expect(await filesOf(editor)).toEqual([])
    await editor.open("apis/workflow/a.json")
    expect(await editor.pull("apis/workflow/a.json")).toHaveLength(1)
    expect(await filesOf(editor)).toEqual(["apis/workflow/a.json"])
    await editor.close("apis/workflow/a.json")
    expect(await filesOf(editor)).toEqual([])
  })

  it("come and go with the folders of the workspace", async () => {
    const folder = await folderWith({
      "one/apis/workflow/a.json": broken,
      "two/apis/workflow/b.json": broken,
    })
    const editor = await edit({ folder, workspace: ["one"] })
    const [one, two] = ["one", "two"].map((name) => ({ uri: editor.uri(name), name }))
    await editor.notify("workspace/didChangeWorkspaceFolders", { event: { added: [two], removed: [one] } })
    expect(await filesOf(editor)).toEqual(["two/apis/workflow/b.json"])
  })

  it("own only their innermost files", async () => {
    const folder = await folderWith({
      "apis/workflow/a.json": sound,
      "inner/apis/workflow/a.json": sound,
      "inner/apis/workflow/b.json": sound,
    })
    const editor = await edit({ folder })
    await editor.open("inner/apis/workflow/b.json", JSON.stringify(broken))
    expect(await filesOf(editor)).toEqual(["inner/apis/workflow/b.json"])
  })

  it("have the URIs by which the editor knows them, below a link", async () => {
    const folder = await folderWith({ "real/apis/workflow/a.json": broken })
    symlinkSync(join(folder, "real"), join(folder, "link"))
    const editor = await edit({ folder, workspace: ["link"] })
    expect(await filesOf(editor)).toEqual(["link/apis/workflow/a.json"])
    await editor.open("link/apis/workflow/a.json", JSON.stringify(sound))
    expect(await filesOf(editor)).toEqual([])
  })

  it("survive a link to itself", async () => {
    const folder = await folderWith({ "one/apis/workflow/a.json": broken, "two/readme.txt": "" })
    symlinkSync("apis", join(folder, "two/apis"))
    symlinkSync("..", join(folder, "one/up"))
    const editor = await edit({ folder })
    expect(await filesOf(editor)).toEqual(["one/apis/workflow/a.json"])
    await editor.open("two/apis/x.json", "{}")
    expect(await editor.pull("two/apis/x.json")).toEqual([])
    expect(editor.errors()).toBe("")
  })
})

describe("documents", () => {
  it("count with their last text if they are open by two URIs", async () => {
    const folder = await folderWith({ "real/apis/workflow/a.json": sound })
    symlinkSync(join(folder, "real"), join(folder, "link"))
    const editor = await edit({ folder, workspace: ["real"] })
    const [real, link] = ["real/apis/workflow/a.json", "link/apis/workflow/a.json"] as const
    await editor.open(real)
    await editor.open(link, JSON.stringify(broken))
    expect(await filesOf(editor)).toEqual([link, real])
    await editor.close(link)
    expect(await filesOf(editor)).toEqual([])
  })

  it.each(["git:", "untitled:", "output:"])("are ignored with the scheme %s", async (scheme) => {
    const folder = await folderWith({ "apis/workflow/a.json": sound })
    const editor = await edit({ folder })
    const uri = editor.uri("apis/workflow/a.json").replace("file:", scheme)
    await editor.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "json", version: 1, text: JSON.stringify(broken) },
    })
    expect(await editor.request("textDocument/diagnostic", { textDocument: { uri } })).toMatchObject({
      items: [],
    })
    expect(await filesOf(editor)).toEqual([])
  })

  it("count before their files are written", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound })
    const editor = await edit({ folder })
    await editor.open("apis/workflow/new.json", JSON.stringify(broken))
    expect(await filesOf(editor)).toEqual(["apis/workflow/new.json"])
  })

  it("keep their texts while their files are deleted and return", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound })
    const editor = await edit({ folder, capabilities: watching })
    await editor.open("apis/workflow/a.json", JSON.stringify(broken))
    rmSync(join(folder, "apis"), { recursive: true })
    const changes = [{ uri: editor.uri("apis/workflow/a.json"), type: 3 }]
    await editor.notify("workspace/didChangeWatchedFiles", { changes })
    await editor.pull("apis/workflow/a.json")
    await writeFiles(folder, { "apis/workflow/a.json": sound })
    await editor.notify("workspace/didChangeWatchedFiles", { changes: [{ ...changes[0], type: 1 }] })
    expect(await filesOf(editor)).toEqual(["apis/workflow/a.json"])
    await editor.close("apis/workflow/a.json")
    expect(await filesOf(editor)).toEqual([])
  })

  it("report a problem of a directory at the directory", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound, "apis/workflow/script/a/b.ts": "" })
    const editor = await edit({ folder })
    expect([...(await editor.pullAll()).keys()]).toEqual([
      pathToFileURL(join(folder, "apis/workflow/script")).href,
    ])
  })
})

describe("changes on disk", () => {
  const whenPushed = (editor: Editor, path: string, count: number): Promise<true> =>
    editor.until(() => (editor.pushed.get(editor.uri(path))?.length === count ? true : undefined))

  it("are found without the editor's help", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound, "apis/workflow/b.json": broken })
    const editor = await edit({ folder, capabilities: {} })
    await whenPushed(editor, "apis/workflow/b.json", 1)
    await writeFiles(folder, { "apis/workflow/a.json": broken })
    await whenPushed(editor, "apis/workflow/a.json", 1)
    renameSync(join(folder, "apis/workflow/a.json"), join(folder, "apis/workflow/c.json"))
    await whenPushed(editor, "apis/workflow/c.json", 1)
    await whenPushed(editor, "apis/workflow/a.json", 0)
  })

  it("are found in the data file that a suite reads", async () => {
    const folder = await folderWith({
      "apis/workflow/a.json": { version: 1, inputs: { n: { type: "number" } }, blocks: [] },
      "callsheet.json": {
        version: 1,
        suites: { all: { workflows: [{ workflow: "a", data: "data/rows.csv" }] } },
      },
      "data/rows.csv": "n\n1\n",
    })
    const editor = await edit({ folder, capabilities: {} })
    await writeFiles(folder, { "apis/workflow/b.json": broken })
    await whenPushed(editor, "apis/workflow/b.json", 1)
    await writeFiles(folder, { "data/rows.csv": "n\nx\n" })
    await whenPushed(editor, "data/rows.csv", 1)
  })

  it("include new projects", async () => {
    const folder = await folderWith({ "readme.txt": "" })
    const editor = await edit({ folder, capabilities: {} })
    await writeFiles(folder, { "new/apis/workflow/a.json": broken })
    await whenPushed(editor, "new/apis/workflow/a.json", 1)
    rmSync(join(folder, "new"), { recursive: true })
    await whenPushed(editor, "new/apis/workflow/a.json", 0)
  })

  it("lead to another pull when the editor reports them", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound })
    const editor = await edit({ folder, capabilities: watching })
    expect(await filesOf(editor)).toEqual([])
    const refreshes = (): number =>
      editor.received.filter(({ method }) => method === "workspace/diagnostic/refresh").length
    await editor.until(() => (refreshes() > 0 ? true : undefined))
    const before = refreshes()
    mkdirSync(join(folder, "other/apis/workflow"), { recursive: true })
    writeFileSync(join(folder, "other/apis/workflow/b.json"), JSON.stringify(broken))
    const uri = editor.uri("other/apis/workflow/b.json")
    await editor.notify("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 1 }] })
    await editor.until(() => (refreshes() > before ? true : undefined))
    expect(await filesOf(editor)).toEqual(["other/apis/workflow/b.json"])
  })

  it("concern nothing in the packages and in the data of git", async () => {
    const folder = await folderWith({ "apis/workflow/a.json": sound })
    const editor = await edit({ folder, capabilities: watching })
    const refreshes = () => editor.received.filter(({ method }) => method.endsWith("/refresh")).length
    await editor.until(() => (refreshes() === 1 ? true : undefined))
    const changes = ["node_modules/x/a.js", ".git/objects/a", ".callsheet/x"].map((path) => ({
      uri: editor.uri(path),
      type: 1,
    }))
    await editor.notify("workspace/didChangeWatchedFiles", { changes })
    expect(await filesOf(editor)).toEqual([])
    expect(refreshes()).toBe(1)
  })
})
