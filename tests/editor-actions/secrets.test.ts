// No answer to an editor contains a value of a secrets file or of a secret: no problem, action, lens, command or message.

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CodeAction } from "vscode-languageserver-protocol"
import { describe, expect, it } from "vitest"
import { fullClient, type Editor } from "./editor.ts"
import { openShop, rangeAt } from "./project.ts"

const secret = "canary-7d1f0a93"
const other = "canary-other-55c2"
const values = "apis/shop/environments/base.json"
const secrets = "apis/shop/environments/local.secrets.env"
const request = "apis/shop/requests/orders/login.json"
const lensed = "apis/workflow/catalog.json"

const capabilities = {
  ...fullClient,
  workspace: { ...fullClient.workspace, applyEdit: true },
  textDocument: { ...fullClient.textDocument, codeLens: {} },
}

const saved = `{\n  "version": 1,\n  "operation": "signIn",\n  "body": { "email": "a@b.example", "password": "${secret}" }\n}\n`

function open(files: Readonly<Record<string, string>>, applied: unknown[] = []) {
  const shop = openShop(files, {
    capabilities,
    answer: (method, params) => {
      if (method === "workspace/applyEdit") applied.push(params)
      return { applied: true }
    },
  })
  return shop
}

async function actionsAt(editor: Editor, file: string, wanted: string): Promise<readonly CodeAction[]> {
  const diagnostics = await editor.diagnose(file)
  return editor.actions(file, { range: rangeAt(editor.textOf(file), wanted), diagnostics })
}

const run = async (editor: Editor, { command }: CodeAction): Promise<unknown> =>
  editor.request("workspace/executeCommand", { command: command?.command, arguments: command?.arguments })

const nowhere = (answers: unknown): void => {
  expect(JSON.stringify(answers)).not.toContain(secret)
  expect(JSON.stringify(answers)).not.toContain(other)
}

describe("a secret", () => {
  it("in a value file moves to the secrets file by a command", async () => {
    const { editor } = open({ [secrets]: "" })
    const text = editor.textOf(values).replace("{", `{\n  "password": "${secret}",`)
    editor.type(values, text)
    const offered = await actionsAt(editor, values, '"password"')
    const action = offered.find(({ title }) => title.startsWith("Move "))
    expect(action).toMatchObject({ title: 'Move "password" to the secrets file of base', kind: "quickfix" })
    nowhere([offered, await editor.diagnose(values)])
    // The document is not saved, so the file on disk would lose the change.
    await expect(run(editor, action ?? { title: "" })).rejects.toThrow("unsaved")
    nowhere(editor.sent)
  })

  it("in a saved value file is in the secrets file afterwards, and nowhere else", async () => {
    const shop = openShop()
    const before = shop.editor.textOf(values)
    const { editor, root } = open({ [values]: before.replace("{", `{\n  "password": "${secret}",`) })
    const [action] = (await actionsAt(editor, values, '"password"')).filter(
      ({ command }) => command !== undefined,
    )
    const result = await run(editor, action ?? { title: "" })
    nowhere([action, result, editor.sent])
    expect(readFileSync(join(root, values), "utf8")).not.toContain(secret)
    expect(readFileSync(join(root, "apis/shop/environments/base.secrets.env"), "utf8")).toContain(
      `password=${secret}`,
    )
    expect((await editor.diagnose(values)).map(({ code }) => code)).not.toContain("secret-committed")
  })

  it("in a request becomes a variable whose value only the secrets file has", async () => {
    const applied: unknown[] = []
    const { editor, root } = open({ [request]: saved.replace('"password"', '"pinSecret"') }, applied)
    const offered = await actionsAt(editor, request, secret)
    const action = offered.find(({ title }) => title.startsWith("Extract "))
    expect(action?.title).toBe('Extract the secret to the variable "pinSecret" of shop')
    const result = await run(editor, action ?? { title: "" })
    nowhere([offered, result, editor.sent, applied])
    expect(JSON.stringify(applied)).toContain("{{pinSecret}}")
    expect(JSON.parse(readFileSync(join(root, "apis/shop/environments/schema.json"), "utf8"))).toMatchObject({
      variables: { pinSecret: { type: "string", secret: true } },
    })
    expect(readFileSync(join(root, "apis/shop/environments/base.secrets.env"), "utf8")).toContain(secret)
    expect(readFileSync(join(root, values), "utf8")).not.toContain(secret)
  })

  it("is in no edit and no title, although the file has it where a value or a name belongs", async () => {
    const note = saved.replace('"password"', '"note"')
    const name = `{\n  "version": 1,\n  "blocks": [{ "id": "a", "type": "request", "request": { "api": "shop", "operation": "{{env.shop.${other}}}" } }]\n}\n`
    const { editor } = open({
      [secrets]: `password=${secret}\nadminPassword=${other}\n`,
      [request]: note,
      "apis/workflow/named.json": name,
    })
    const offered = await actionsAt(editor, request, secret)
    nowhere(offered)
    expect(offered.map(({ title }) => title)).toContain('Extract the secret to the variable "note" of shop')
    nowhere(await actionsAt(editor, "apis/workflow/named.json", `{{env.shop.${other}`))
  })

  it("that a value file sets without a declaration is declared by a command that moves the value", async () => {
    const before = openShop().editor.textOf(values)
    const { editor, root } = open({ [values]: before.replace("{", `{\n  "clientSecret": "${secret}",`) })
    const offered = await actionsAt(editor, values, '"clientSecret"')
    const action = offered.find(({ title }) => title.startsWith("Declare "))
    expect(action?.edit).toBeUndefined()
    const result = await run(editor, action ?? { title: "" })
    nowhere([offered, result, editor.sent])
    expect(readFileSync(join(root, values), "utf8")).not.toContain(secret)
    expect(readFileSync(join(root, "apis/shop/environments/base.secrets.env"), "utf8")).toContain(secret)
  })

  it("of a secrets file is in no answer about any file", async () => {
    const { editor, root } = open({
      [secrets]: `password=${secret}\nunknownName=${other}\nnot an assignment ${secret}\n`,
      [request]: saved.replace(secret, "{{passwords}}"),
    })
    nowhere([...(await editor.diagnoseAll())])
    for (const file of [secrets, request, values, lensed, "apis/shop/environments/schema.json"]) {
      const diagnostics = await editor.diagnose(file)
      const lines = editor.textOf(file).split("\n")
      for (const line of lines.keys()) {
        const at = { line, character: Math.min(4, lines[line]?.length ?? 0) }
        nowhere(await editor.actions(file, { range: { start: at, end: at }, diagnostics }))
      }
      nowhere(
        await editor.actions(file, {
          range: rangeAt(lines.join("\n"), ""),
          diagnostics,
          only: ["source.fixAll"],
        }),
      )
      nowhere(await editor.request("textDocument/codeLens", { textDocument: { uri: editor.uriOf(file) } }))
    }
    expect(existsSync(join(root, secrets))).toBe(true)
    nowhere(editor.sent)
  })

  it("is written by nobody before trust", async () => {
    const { editor } = openShop(
      { [request]: saved.replace('"password"', '"pinSecret"') },
      { capabilities, isTrusted: false },
    )
    const offered = await actionsAt(editor, request, secret)
    expect(offered.filter(({ command }) => command !== undefined)).toEqual([])
    const command = {
      command: "callsheet.extractSecret",
      arguments: [{ uri: editor.uriOf(request), offset: 90 }],
    }
    await expect(editor.request("workspace/executeCommand", command)).rejects.toThrow("not trusted")
  })
})
