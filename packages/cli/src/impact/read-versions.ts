// Reads what `--against` and `--against-file` name, and compares the documents of the project with it.

import { readFile } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import {
  CallsheetError,
  decodeText,
  systemReason,
  toProblem,
  type Project,
  type SourceFile,
} from "@callsheet/format"
import { createFileReader, openProjectFolder } from "@callsheet/project"
import { compareWithCommit, compareWithSource, type Version } from "@callsheet/server"
import type { CommandCall } from "../args/command.ts"
import { messages } from "../messages.ts"

interface Compared<T> {
  /** What the current documents are compared with: the reference or the file as given. */
  readonly against: string
  readonly results: readonly T[]
}

interface VersionsRequest {
  readonly call: CommandCall
  readonly project: Project
  /** Limits the comparison to one API. */
  readonly api: string | undefined
}

type Work<T> = (version: Version) => T

/** Does the work for each API that has a document. Throws the problems of documents that can't be read. */
export async function compareVersions<T>(request: VersionsRequest, work: Work<T>): Promise<Compared<T>> {
  const file = request.call.options.value("against-file")
  return file === undefined ? compareCommit(request, work) : compareFile(file, request, work)
}

const DEADLINE_MS = 60_000

async function compareCommit<T>(
  { call, project, api }: VersionsRequest,
  work: Work<T>,
): Promise<Compared<T>> {
  const against = call.options.value("against") ?? "HEAD"
  const place = { root: project.root, processEnvironment: call.environment, deadlineMs: DEADLINE_MS }
  const compared = await compareWithCommit({ project, api, against, place }, work)
  if (compared.is !== "compared")
    throw new CallsheetError(messages.usage.noBase("--against", against, compared.is))
  return { against, results: compared.results }
}

async function compareFile<T>(
  shown: string,
  { call, project, api: name }: VersionsRequest,
  work: Work<T>,
): Promise<Compared<T>> {
  const api = name === undefined ? undefined : project.apis.get(name)
  if (api === undefined) throw new CallsheetError(messages.usage.againstFileApi(project.apiNames))
  const path = resolve(call.cwd, shown)
  const source = await readSource(path, shown)
  const read = createFileReader(openProjectFolder(dirname(path)))
  return { against: shown, results: [await compareWithSource({ api, source, read }, work)] }
}

/** Reads a file outside the project. References in it lead to files in its directory. */
async function readSource(path: string, shown: string): Promise<SourceFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    throw new CallsheetError(messages.usage.againstFile(shown, systemReason(code ?? "")))
  })
  const decoded = decodeText(bytes)
  if (!decoded.ok) throw new CallsheetError(toProblem(decoded.finding, shown))
  return { file: basename(path), text: decoded.text }
}
