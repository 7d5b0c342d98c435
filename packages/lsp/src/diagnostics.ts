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

interface Pulling {
  readonly signal: AbortSignal
  readonly conversion: Conversion
  readonly followUp: FollowUp
}

/** Answers `textDocument/diagnostic`. */
export async function pullDocument(
  service: Diagnosing,
  { uri, previous }: { readonly uri: string; readonly previous?: string | undefined },
  { signal, conversion, followUp }: Pulling,
): Promise<DocumentDiagnosticReport> {
  const { diagnostics, isWhole } = await service.diagnose(uri, signal)
  const resultId = resultIdOf(diagnostics)
  if (!isWhole) followUp.note(uri, resultId)
  return resultId === previous
    ? { kind: "unchanged", resultId }
    : { kind: "full", resultId, items: conversion.toClient([...diagnostics], uri) }
}

type FollowUp = ReturnType<typeof createFollowUp>

interface FollowingUp {
  readonly service: Diagnosing
  /** Asks the client to pull again. */
  readonly refresh: () => void
  readonly onError: (error: unknown) => void
}

/** After answers from a check of one file: lets the client pull again if the check of all files finds others. */
export function createFollowUp({ service, refresh, onError }: FollowingUp) {
  const answered = new Map<string, string>()
  const check = async (signal: AbortSignal): Promise<void> => {
    const all = await service.diagnoseAll(signal)
    const isOther = [...answered].some(([uri, resultId]) => resultIdOf(all.get(uri) ?? []) !== resultId)
    answered.clear()
    if (isOther) refresh()
  }
  const pause = createPause(check, onError)
  return {
    note: (uri: string, resultId: string): void => {
      answered.set(uri, resultId)
      pause.restart()
    },
    changed: (): void => {
      if (answered.size > 0) pause.restart()
    },
    stop: pause.stop,
  }
}

/** Returns how to do something after the last of several changes. A further change interrupts it. */
function createPause(act: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let acting: AbortController | undefined
  const stop = (): void => {
    clearTimeout(timer)
    acting?.abort()
  }
  return {
    stop,
    restart: (): void => {
      stop()
      timer = setTimeout(() => {
        const { signal } = (acting = new AbortController())
        act(signal).catch((error: unknown) => {
          if (!signal.aborted) onError(error)
        })
      }, PAUSE_MS)
    },
  }
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
  const publish = (uri: string, diagnostics: readonly Diagnostic[]): void => {
    const id = resultIdOf(diagnostics)
    if (published.get(uri) === id || (diagnostics.length === 0 && !published.has(uri))) return
    if (diagnostics.length === 0) published.delete(uri)
    else published.set(uri, id)
    connection
      .sendDiagnostics({ uri, diagnostics: conversion().toClient([...diagnostics], uri) })
      // The client may be gone.
      .catch(() => undefined)
  }
  const checkChanged = async (uri: string, signal: AbortSignal): Promise<void> => {
    try {
      const { diagnostics } = await service.diagnose(uri, signal)
      if (!signal.aborted) publish(uri, diagnostics)
    } catch (error) {
      // Doesn't hide the problems of other documents.
      if (!signal.aborted) onError(error)
    }
    if (!signal.aborted) changed.delete(uri)
  }
  const check = async (signal: AbortSignal): Promise<void> => {
    for (const uri of changed) await checkChanged(uri, signal)
    const all = await service.diagnoseAll(signal)
    if (signal.aborted) return
    for (const uri of new Set([...all.keys(), ...published.keys()])) publish(uri, all.get(uri) ?? [])
  }
  const pause = createPause(check, onError)
  return {
    note: (uri?: string): void => {
      if (uri !== undefined) changed.add(uri)
      pause.restart()
    },
    stop: pause.stop,
  }
}
