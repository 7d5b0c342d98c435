// An editor in this process: opens documents of a project, asks the service, and applies the edits that it gets.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { readAllEnvironments } from "@callsheet/project"
import type {
  ClientCapabilities,
  CodeAction,
  Diagnostic,
  Range,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver-protocol"
import { createEditorService } from "../../packages/editor/src/index.ts"
import { maskProblems } from "../../packages/cli/src/mask-files.ts"
import { findSurrounding } from "../../packages/cli/src/validate/find-surrounding.ts"

export const fullClient: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
    diagnostic: {},
  },
}

type ServiceOptions = Parameters<typeof createEditorService>[0]

export interface EditorOptions {
  readonly capabilities?: ClientCapabilities
  readonly isTrusted?: boolean
  readonly clientCommands?: readonly string[]
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>
  readonly settings?: object
  readonly ports?: Partial<ServiceOptions>
  readonly answer?: (method: string, params: unknown) => unknown
}

export function openEditor(root: string, options: EditorOptions = {}) {
  const {
    capabilities = fullClient,
    isTrusted = true,
    processEnvironment = { PATH: process.env["PATH"] },
  } = options
  const service = createEditorService({
    scriptEntry: new URL("../../packages/cli/dist/script-child.js", import.meta.url),
    processEnvironment,
    findSurrounding: (project, asksGit) =>
      findSurrounding(project, { environment: processEnvironment, isWhole: true, asksGit }),
    mask: (project, problems) => maskProblems(problems, readAllEnvironments(project), processEnvironment),
    ...options.ports,
  })
  const sent: { readonly method: string; readonly params: unknown }[] = []
  const folders = [pathToFileURL(root).href]
  service.start(
    { capabilities, folders, isTrusted, clientWatches: true, clientCommands: options.clientCommands ?? [] },
    {
      problemsChanged: () => undefined,
      request: async (method, params) => {
        sent.push({ method, params })
        return Promise.resolve(options.answer?.(method, params) ?? null)
      },
      notify: (method, params) => void sent.push({ method, params }),
    },
  )
  if (options.settings !== undefined) service.configure(options.settings)
  const uriOf = (file: string): string => pathToFileURL(join(root, file)).href
  const texts = new Map<string, string>()
  let version = 0
  const request = async (
    method: string,
    params: object,
    signal = new AbortController().signal,
  ): Promise<unknown> => service.requests[method]?.(params as never, signal)
  const textOf = (file: string): string => texts.get(uriOf(file)) ?? readFileSync(join(root, file), "utf8")
  const type = (file: string, text: string): void => {
    texts.set(uriOf(file), text)
    service.change({ uri: uriOf(file), text, version: ++version })
  }
  return {
    service,
    sent,
    uriOf,
    request,
    textOf,
    type,
    close: service.dispose,
    diagnose: async (file: string) =>
      (await service.diagnose(uriOf(file), new AbortController().signal)).diagnostics,
    diagnoseAll: async () => service.diagnoseAll(new AbortController().signal),
    actions: async (
      file: string,
      {
        range,
        diagnostics = [],
        only,
      }: { range: Range; diagnostics?: readonly Diagnostic[]; only?: string[] },
    ) =>
      (await request("textDocument/codeAction", {
        textDocument: { uri: uriOf(file) },
        range,
        context: { diagnostics, ...(only && { only }) },
      })) as CodeAction[],
    /** Changes open documents, and writes new files to disk, as an editor does that saves them. */
    apply: (edit: WorkspaceEdit | undefined): void => {
      for (const [uri, edits] of editsIn(edit)) {
        const path = fileURLToPath(uri)
        if (existsSync(path)) {
          const text = applyEdits(texts.get(uri) ?? readFileSync(path, "utf8"), edits)
          texts.set(uri, text)
          service.change({ uri, text, version: ++version })
          continue
        }
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, applyEdits("", edits))
        service.filesChanged([{ uri, type: 1 }])
      }
    },
  }
}

export type Editor = ReturnType<typeof openEditor>

function editsIn(edit: WorkspaceEdit | undefined): readonly (readonly [string, readonly TextEdit[]])[] {
  if (edit?.changes !== undefined) return Object.entries(edit.changes)
  return (edit?.documentChanges ?? []).flatMap((change) =>
    "edits" in change ? [[change.textDocument.uri, change.edits as readonly TextEdit[]] as const] : [],
  )
}

/** Applies edits as the protocol says: all positions are those of the text before. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length)
  const offsetOf = ({ line, character }: Range["start"]): number => (starts[line] ?? text.length) + character
  return edits
    .toSorted((a, b) => offsetOf(b.range.start) - offsetOf(a.range.start))
    .reduce(
      (now, { range, newText }) =>
        now.slice(0, offsetOf(range.start)) + newText + now.slice(offsetOf(range.end)),
      text,
    )
}
