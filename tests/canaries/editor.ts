// Everything that `callsheet lsp` sends to an editor, with the canaries as process variables, in secrets files, and as
// text in files of the project.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ClientCapabilities } from "vscode-languageserver-protocol"
import { setSecret } from "@callsheet/format"
import type { Files } from "../harness/callsheet.ts"
import { pulls, startEditor, type Editor } from "../lsp/client.ts"
import type { Canary } from "./canaries.ts"
import { variableName } from "./project.ts"

/** What clients can announce, so that the server offers everything. */
const everything: ClientCapabilities = {
  textDocument: {
    ...pulls.textDocument,
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [""] } }, dataSupport: true },
    codeLens: {},
    completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
    hover: { contentFormat: ["markdown"] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
  },
  workspace: {
    ...pulls.workspace,
    applyEdit: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
  },
  window: { workDoneProgress: true, showMessage: {} },
}

const { diagnostic: _, ...withoutPulls } = { ...everything.textDocument }

/** Of one kind in a file. */
const MAX_PLACES = 8

/** Anything, variables, and names that have a description. */
const interesting = [
  /["'.={]/g,
  /\benv\.\w+\./g,
  /"(?:instance|operation|source|default|operator|value)": "?/g,
] as const

/** Methods about a place in a file. */
const placeMethods = [
  "hover",
  "completion",
  "definition",
  "references",
  "documentHighlight",
  "prepareRename",
] as const

const fileMethods = ["documentSymbol", "foldingRange", "documentLink", "codeLens"] as const

interface Asking {
  readonly editor: Editor
  readonly texts: Map<string, string>
  readonly ask: (label: string, method: string, params?: object) => Promise<unknown>
}

/** Asks two editors: one with the canaries in its process, one that finds them in secrets files. */
export async function askAsEditor(
  project: Files,
  env: Readonly<Record<string, string>>,
  canaries: readonly Canary[],
): Promise<ReadonlyMap<string, string>> {
  const stored = createStored(canaries, env)
  const files = { ...project, ...filesWith(canaries), ...stored.files(project) }
  const [pulled, pushed] = await Promise.all([
    ask("pulls", { files, env, capabilities: everything }),
    ask("is pushed to", {
      files,
      env: stored.env,
      capabilities: { ...everything, textDocument: withoutPulls },
    }),
  ])
  return new Map([...pulled, ...pushed])
}

/** The environment `kept`, whose secrets are in files, except those that such a file can't store. */
function createStored(canaries: readonly Canary[], env: Readonly<Record<string, string>>) {
  const notStored: Record<string, string> = {}
  let secrets = `basicPair='${env["CALLSHEET_VAR__SHOP__BASIC_PAIR"]?.replaceAll(/\W/g, "-")}'\n`
  for (const [index, canary] of canaries.entries()) {
    const written = setSecret(secrets, variableName(index), String(canary))
    if (written.ok) secrets = written.text
    else notStored[`CALLSHEET_VAR__SHOP__${variableName(index).toUpperCase()}`] = String(canary)
  }
  return {
    env: notStored,
    files: (project: Files): Files => ({
      "apis/shop/environments/kept.json": project["apis/shop/environments/blue.json"],
      "apis/shop/environments/kept.secrets.env": secrets,
      "apis/other/environments/kept.json": {},
      "apis/other/environments/kept.secrets.env": `baseUrl='${env["CALLSHEET_VAR__OTHER__BASE_URL"]}'\n`,
    }),
  }
}

/** Files that contain secrets where they don't belong. */
function filesWith(canaries: readonly Canary[]): Files {
  const texts = canaries.flatMap((canary, index) =>
    typeof canary === "string" && canary.length >= 4 ? [[variableName(index), canary] as const] : [],
  )
  const torn = texts.map(([name, text]) => `${text}\n${name} ${text}\n${name}='${text}`).join("\n")
  const all = texts.map(([, text]) => text)
  return {
    "apis/shop/environments/committed.json": Object.fromEntries(texts),
    "apis/torn/environments/schema.json": {
      version: 1,
      variables: Object.fromEntries(texts.map(([name]) => [name, { type: "string", secret: true }])),
    },
    "apis/torn/environments/broken.json": {},
    "apis/torn/environments/broken.secrets.env": torn,
    "apis/shop/requests/echo/literal.json": {
      version: 1,
      method: "POST",
      path: "/echo",
      description: all.join(" "),
      params: { header: Object.fromEntries(all.map((text, index) => [`x-${index}`, text])) },
      bodyType: "json",
      body: all,
    },
    "apis/workflow/literal.json": {
      version: 1,
      inputs: Object.fromEntries(
        texts.map(([name, text]) => [name, { type: "string", default: text, description: `has ${text}` }]),
      ),
      blocks: texts.flatMap(literalBlocks),
    },
    "apis/workflow/unfinished.json": `{ "version": 1, "blocks": [{ "id": "a", "type": "assert", "assertions": [
  ${all.map((text) => `{ "source": ${JSON.stringify(text)}, "operator": ${JSON.stringify(text)}, "value": ${text} `).join("\n")}`,
  }
}

const literalBlocks = ([name, text]: readonly [string, string], index: number): readonly unknown[] => [
  {
    id: `b${index}`,
    type: "request",
    description: `has ${text}`,
    request: {
      api: "shop",
      operation: "send",
      overrides: {
        params: { header: { "x-key": text, "x-name": `{{env.shop.${name}}}` } },
        body: { a: text },
      },
    },
  },
  {
    id: `a${index}`,
    type: "assert",
    assertions: [
      { source: `b${index}.response.body`, operator: "equals", value: [text, { a: text }] },
      { source: `env.shop.${name}`, operator: "contains", value: text },
    ],
  },
]

async function ask(
  label: string,
  options: NonNullable<Parameters<typeof startEditor>[0]>,
): Promise<ReadonlyMap<string, string>> {
  const editor = await startEditor({ ...options, params: { trace: "verbose" } })
  const texts = new Map<string, string>()
  const asking: Asking = {
    editor,
    texts,
    ask: async (about, method, params = {}) => {
      const answer: unknown = await editor.request(method, params).catch((error: unknown) => String(error))
      const name = `editor that ${label}: ${about}`
      // The judge reads what is named after JSON files as JSON.
      texts.set(
        name,
        `[${[texts.get(name)?.slice(1, -1), JSON.stringify(answer)].filter(Boolean).join(",")}]`,
      )
      return answer
    },
  }
  try {
    await askAll(asking, Object.keys(options.files ?? {}))
    // Trace, progress, messages and edits are in there.
    texts.set(`editor that ${label}: messages of the server`, JSON.stringify(editor.received))
    texts.set(`editor that ${label}: standard error`, editor.errors())
    return texts
  } finally {
    await editor.dispose()
  }
}

async function askAll(asking: Asking, paths: readonly string[]): Promise<void> {
  const { editor, ask: send } = asking
  const isPulling = editor.initialized.capabilities.diagnosticProvider !== undefined
  if (isPulling) await send("problems of all files", "workspace/diagnostic", { previousResultIds: [] })
  for (const query of ["", "b1", "c0"]) await send("workspace/symbol", "workspace/symbol", { query })
  for (const path of paths) await askAbout(asking, path, isPulling)
  await runCommands(asking)
}

interface Report {
  readonly items?: readonly unknown[]
}

async function askAbout({ editor, ask: send }: Asking, path: string, isPulling: boolean): Promise<void> {
  await editor.open(path)
  const textDocument = { uri: editor.uri(path) }
  const about = (method: string): string => `${method} of ${path}`
  const report = isPulling
    ? await send(about("problems"), "textDocument/diagnostic", { textDocument })
    : undefined
  const { items = [] } = (report ?? {}) as Report
  for (const method of fileMethods) await send(about(method), `textDocument/${method}`, { textDocument })
  const lines = readFileSync(join(editor.folder, path), "utf8").split("\n")
  const positions = interesting.flatMap((pattern) => placesIn(lines, pattern))
  await send(about("selectionRange"), "textDocument/selectionRange", { textDocument, positions })
  for (const position of positions) {
    for (const method of placeMethods)
      await send(about(method), `textDocument/${method}`, {
        textDocument,
        position,
        context: { includeDeclaration: true, triggerKind: 1 },
      })
    await send(about("rename"), "textDocument/rename", { textDocument, position, newName: "renamed" })
    await send(about("codeAction"), "textDocument/codeAction", {
      textDocument,
      range: { start: position, end: position },
      context: { diagnostics: items },
    })
  }
  await editor.close(path)
}

/** Places behind some of the matches, spread over the file. */
function placesIn(lines: readonly string[], pattern: RegExp): readonly { line: number; character: number }[] {
  const all = lines.flatMap((text, line) =>
    [...text.matchAll(pattern)].map((match) => ({ line, character: match.index + match[0].length })),
  )
  const step = Math.ceil(all.length / MAX_PLACES)
  return all.filter((_, at) => at % step === 0)
}

/** Sends saved requests, runs workflows, and writes secrets. */
async function runCommands({ editor, ask: send }: Asking): Promise<void> {
  const execute = async (command: string, argument: object): Promise<unknown> =>
    send(`${command} ${JSON.stringify(argument).replaceAll(editor.folder, "")}`, "workspace/executeCommand", {
      command,
      arguments: [argument],
    })
  const project = editor.uri("")
  for (const environment of ["blue", "kept", "broken"]) {
    for (const name of ["json", "form", "literal"])
      await execute("callsheet.sendRequest", {
        uri: editor.uri(`apis/shop/requests/echo/${name}.json`),
        environment,
      })
    for (const workflow of ["canaries", "literal"])
      await execute("callsheet.run", { project, workflow, environments: [environment] })
  }
  for (const name of ["c00", "c05", "unknown"]) {
    await execute("callsheet.moveSecret", { project, api: "shop", environment: "committed", name })
    await execute("callsheet.declareSecret", { project, api: "shop", name })
  }
  const uri = editor.uri("apis/workflow/literal.json")
  const text = readFileSync(join(editor.folder, "apis/workflow/literal.json"), "utf8")
  for (const { index } of [...text.matchAll(/"x-key": "/g)].slice(0, 5))
    await execute("callsheet.extractSecret", { uri, offset: index + 12 })
}
