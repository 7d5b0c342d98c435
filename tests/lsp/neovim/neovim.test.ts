// Neovim 0.7 as a client: its own language client, configured as the guide says, without a screen.

import { execFile, execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { codeCache, createFolder, program, type Files } from "../../harness/callsheet.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const cache = here("../../../node_modules/.cache/callsheet/neovim")
const hasPackages = existsSync("/usr/bin/apt-get") && process.arch === "x64"

/** The configuration for Neovim 0.7 of the guide, with the built command. */
function guideConfig(): string {
  const page = readFileSync(here("../../../docs/guide/editors.md"), "utf8")
  const [, config] = /```lua title="~\/\.config\/nvim\/init\.lua"\n([\s\S]*?)```/.exec(page) ?? []
  const command = `cmd = { "npx", "callsheet", "lsp", "--stdio" }`
  if (config?.includes(command) !== true) throw new Error("the guide has no configuration for Neovim 0.7")
  return config.replace(
    command,
    `cmd = ${JSON.stringify([process.execPath, program, "lsp", "--stdio"]).replace("[", "{").replace("]", "}")}`,
  )
}

/** Opens a file and returns what a script in Lua returns. */
async function inNeovim(files: Files, path: string, script: string): Promise<unknown> {
  const folder = realpathSync(await createFolder(files))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, "home")
  const own = {
    "config.lua": guideConfig(),
    "script.lua": `local function act()\n${script}\nend\nlocal ok, result = pcall(act)\nlocal file = io.open("result.json", "w")\nfile:write(vim.fn.json_encode({ ok = ok, result = result }))\nfile:close()\nvim.cmd("qa!")\n`,
  }
  for (const [name, text] of Object.entries(own)) writeFileSync(join(folder, name), text)
  const root = join(cache, "root/usr")
  const libraries = readdirSync(join(root, "lib"), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.includes(".so"))
    .map(({ parentPath }) => parentPath)
  const words = [
    "--headless",
    "--clean",
    "-u",
    "config.lua",
    "-c",
    "filetype on",
    path,
    "-c",
    "luafile script.lua",
  ]
  await promisify(execFile)(join(root, "bin/nvim"), words, {
    cwd: folder,
    timeout: 25_000,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_STATE_HOME: home,
      ...codeCache,
      VIMRUNTIME: join(root, "share/nvim/runtime"),
      LD_LIBRARY_PATH: [...new Set(libraries)].join(":"),
    },
  })
  const { ok, result } = JSON.parse(readFileSync(join(folder, "result.json"), "utf8")) as {
    readonly ok: boolean
    readonly result: unknown
  }
  if (!ok) throw new Error(String(result))
  return result
}

const file = "apis/workflow/checkout.json"
const workflow = {
  version: 1,
  blocks: [
    { id: "wait", type: "delay", duration: 1 },
    { id: "check", type: "assert", assertions: [{ source: "{{wait.nothing}}", operator: "eq", value: 1 }] },
  ],
}

describe.runIf(hasPackages)("Neovim 0.7", () => {
  beforeAll(() => {
    if (!existsSync(join(cache, "root/usr/bin/nvim"))) execFileSync(here("install.sh"), [cache])
  })

  it("shows the problems of a file, and those of its unsaved text", async () => {
    const result = await inNeovim(
      { [file]: { ...workflow, version: 2 } },
      file,
      `vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
       local before = vim.diagnostic.get(0)
       local line = vim.api.nvim_buf_get_lines(0, 1, 2, true)[1]
       vim.api.nvim_buf_set_lines(0, 1, 2, true, { (line:gsub("2", "1")) })
       vim.wait(10000, function()
         for _, one in ipairs(vim.diagnostic.get(0)) do if one.code == "version-invalid" then return false end end
         return true
       end, 20)
       return { before = before, after = vim.diagnostic.get(0) }`,
    )
    const { before, after } = result as {
      before: { code: string; lnum: number }[]
      after: { code: string }[]
    }
    expect(before.find(({ code }) => code === "version-invalid")).toMatchObject({
      lnum: 1,
      source: "callsheet",
    })
    expect(after.map(({ code }) => code)).not.toContain("version-invalid")
  })

  it("completes the kinds of a block", async () => {
    const labels = await inNeovim(
      { [file]: '{\n  "version": 1,\n  "blocks": [\n    { "id": "a", "type": "" }\n  ]\n}\n' },
      file,
      `vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
       local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 3, character = 25 } }
       local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 10000)
       local labels = {}
       for _, answer in pairs(answers) do
         for _, item in ipairs(answer.result.items or answer.result) do table.insert(labels, item.label) end
       end
       return labels`,
    )
    expect(labels).toEqual(expect.arrayContaining(["request", "assert", "loop"]))
  })

  it("goes from a name to the block that has it", async () => {
    const text = JSON.stringify(workflow, undefined, 2)
    const place = await inNeovim(
      { [file]: text },
      file,
      `${cursorOn("wait.nothing")}
       vim.lsp.buf.definition()
       vim.wait(10000, function() return vim.api.nvim_win_get_cursor(0)[1] ~= before[1] end, 20)
       return { vim.api.nvim_win_get_cursor(0), vim.fn.expand("%:t") }`,
    )
    const lines = text.split("\n")
    const line = lines.findIndex((one) => one.includes('"id": "wait"'))
    expect(place).toEqual([[line + 1, lines[line]?.indexOf("wait")], "checkout.json"])
  })

  it("renames a block and what mentions it", async () => {
    const text = await inNeovim(
      { [file]: JSON.stringify(workflow, undefined, 2) },
      file,
      `${cursorOn("wait.nothing")}
       vim.lsp.buf.rename("pause")
       vim.wait(10000, function() return vim.bo.modified end, 20)
       return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\\n")`,
    )
    const [pause, check] = workflow.blocks
    const assertions = [{ source: "{{pause.nothing}}", operator: "eq", value: 1 }]
    expect(JSON.parse(String(text))).toEqual({
      ...workflow,
      blocks: [
        { ...pause, id: "pause" },
        { ...check, assertions },
      ],
    })
  })
})

/** Waits for the server, and places the cursor. */
const cursorOn = (text: string): string => `
  vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  vim.fn.search(${JSON.stringify(text)})
  local before = vim.api.nvim_win_get_cursor(0)`
