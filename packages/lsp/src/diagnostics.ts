// Brings problems to the client: it pulls them if it can, else they are pushed. Never both.

import { createHash } from "node:crypto"
import type {
  Connection,
  Diagnostic,
  DocumentDiagnosticReport,
  WorkspaceDiagnosticParams,
  WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver"
import type { Conversion } from "./encoding.ts"
import type { Service } from "./service.ts"

/** The pause after the last change, in milliseconds, before problems are pushed. */
const PAUSE_MS = 300

type Diagnosing = Pick<Service, "diagnose" | "diagnoseAll">

const resultIdOf = (diagnostics: readonly Diagnostic[]): string =>
  createHash("sha256").update(JSON.stringify(diagnostics)).digest("base64url")

/** Answers `textDocument/diagnostic`. */
export async function pullDocument(
  service: Diagnosing,
  { uri, previous }: { readonly uri: string; readonly previous?: string | undefined },
  { signal, conversion }: { readonly signal: AbortSignal; readonly conversion: Conversion },
): Promise<DocumentDiagnosticReport> {
  const items = [...(await service.diagnose(uri, signal))]
  const resultId = resultIdOf(items)
  return resultId === previous
    ? { kind: "unchanged", resultId }
    : { kind: "full", resultId, items: conversion.toClient(items, uri) }
}

/** Answers `workspace/diagnostic`. A document without problems is reported only if it had some. */
export async function pullWorkspace(
  service: Diagnosing,
  { previousResultIds }: WorkspaceDiagnosticParams,
  { signal, conversion }: { readonly signal: AbortSignal; readonly conversion: Conversion },
): Promise<{ items: WorkspaceDocumentDiagnosticReport[] }> {
  const found = await service.diagnoseAll(signal)
  const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]))
  const uris = new Set([...found.keys(), ...known.keys()])
  const items = [...uris].map((uri): WorkspaceDocumentDiagnosticReport => {
    const diagnostics = [...(found.get(uri) ?? [])]
    const resultId = resultIdOf(diagnostics)
    if (known.get(uri) === resultId) return { kind: "unchanged", uri, version: null, resultId }
    return { kind: "full", uri, version: null, resultId, items: conversion.toClient(diagnostics, uri) }
  })
  return { items }
}

interface Pushing {
  readonly service: Diagnosing
  readonly connection: Pick<Connection, "sendDiagnostics">
  readonly conversion: () => Conversion
  readonly onError: (error: unknown) => void
}

/** Publishes problems after a pause: first those of the changed document, then those of all documents. */
export function createPush({ service, connection, conversion, onError }: Pushing) {
  const published = new Map<string, string>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let checking: AbortController | undefined
  const publish = (uri: string, diagnostics: readonly Diagnostic[]): void => {
    const id = resultIdOf(diagnostics)
    if (published.get(uri) === id || (diagnostics.length === 0 && !published.has(uri))) return
    if (diagnostics.length === 0) published.delete(uri)
    else published.set(uri, id)
    void connection.sendDiagnostics({ uri, diagnostics: conversion().toClient([...diagnostics], uri) })
  }
  const check = async (signal: AbortSignal): Promise<void> => {
    for (const uri of changed) {
      const diagnostics = await service.diagnose(uri, signal)
      if (signal.aborted) return
      changed.delete(uri)
      publish(uri, diagnostics)
    }
    const all = await service.diagnoseAll(signal)
    if (signal.aborted) return
    for (const uri of new Set([...all.keys(), ...published.keys()])) publish(uri, all.get(uri) ?? [])
  }
  const stop = (): void => {
    clearTimeout(timer)
    checking?.abort()
  }
  return {
    note: (uri?: string): void => {
      if (uri !== undefined) changed.add(uri)
      stop()
      timer = setTimeout(() => {
        const { signal } = (checking = new AbortController())
        check(signal).catch((error: unknown) => {
          if (!signal.aborted) onError(error)
        })
      }, PAUSE_MS)
    },
    stop,
  }
}
