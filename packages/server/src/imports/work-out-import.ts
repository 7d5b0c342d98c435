// Previews an import of files from the browser, and compares it with the project. Runs in a thread of its own.

import { createHash } from "node:crypto"
import { createSecretSearch } from "@callsheet/engine"
import { stringifyJson, type ProcessEnvironment } from "@callsheet/format"
import { makeImport, type ImportChangeSet } from "@callsheet/interop"
import { findApi, findEnvironments, placeFiles } from "@callsheet/project"
import type { ImportPreview, Input } from "../calls/index.ts"
import { placing } from "./placing.ts"

export interface ImportJob {
  readonly root: string
  readonly input: Input<"imports.plan">
  readonly processEnvironment: ProcessEnvironment
}

export interface WorkedOutImport {
  readonly digest: string
  readonly files: ImportChangeSet["files"]
  readonly view: Omit<ImportPreview, "plan">
}

export async function workOutImport({
  root,
  input,
  processEnvironment,
}: ImportJob): Promise<WorkedOutImport> {
  const { sources, directory, document, api } = input
  const given = [...(document === undefined ? [] : [document]), ...sources]
  const planned = await makeImport({
    sources: [
      ...sources.map(({ name, text }) => ({ file: name, text })),
      ...(directory === undefined ? [] : [sourceDirectory(directory)]),
    ],
    api,
    document: document?.name,
    openDocument: (name) => ({ file: name, text: given.find((one) => one.name === name)?.text ?? "" }),
    environments: findEnvironments(root),
    processEnvironment,
    createSearch: createSecretSearch,
    readApi: (name, documents) => findApi(root, name, documents),
    // A browser sends only the chosen files.
    readFile: () => ({ ok: false, reason: "upload" }),
  })
  const { files, replaced = [] } = await placeFiles({ ...placing(root, planned.files), isDryRun: true })
  const { source, requests, operations, saved, workflows, losses, unset } = planned
  const digest = createHash("sha256")
    .update(stringifyJson([planned.files, files, replaced]))
    .digest("base64url")
  return {
    digest,
    files: planned.files,
    view: {
      source,
      api: planned.api,
      requests,
      operations,
      saved,
      workflows,
      files,
      replaced: replaced.map(({ file }) => file),
      losses,
      unset,
    },
  }
}

const sourceDirectory = ({ name, files }: NonNullable<Input<"imports.plan">["directory"]>) => ({
  file: name,
  files: files.map(({ path, text }) => ({ file: `${name}/${path}`, text })),
  unread: [],
})
