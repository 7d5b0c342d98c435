// Previews an import of files from the browser, and compares it with the project. Runs in a thread of its own.

import { createHash } from "node:crypto"
import { createSecretSearch } from "@callsheet/engine"
import { stringifyJson, type ProcessEnvironment } from "@callsheet/format"
import {
  describeSharedAuth,
  firstRunOf,
  groupLosses,
  makeImport,
  makeSavedRequest,
  secretsByCause,
  type ImportChangeSet,
  type ImportRequest,
  type SavedRequestChangeSet,
} from "@callsheet/interop"
import { findApi, findEnvironments, placeFiles } from "@callsheet/project"
import { suiteSubject, type ImportPreview, type Input } from "../calls/index.ts"
import { placing } from "./placing.ts"

export interface ImportJob {
  readonly root: string
  readonly input: Omit<Input<"imports.plan">, "fetched">
  /** The URL of the source, if the app has fetched it. */
  readonly address?: string | undefined
  readonly processEnvironment: ProcessEnvironment
  /** True to work out a request as if there were no project. Then it contains no variable of the project. */
  readonly isApart?: boolean
}

export interface WorkedOutImport {
  readonly digest: string
  readonly files: ImportChangeSet["files"]
  readonly view: Omit<ImportPreview, "plan">
}

export async function workOutImport(job: ImportJob): Promise<WorkedOutImport> {
  const planned = await makeChanges(job)
  const { files, replaced = [] } =
    job.isApart === true
      ? { files: [] }
      : await placeFiles({ ...placing(job.root, planned.files), isDryRun: true })
  const { source, api, requests, operations, saved, workflows, losses, untranslated, unset } = planned
  const digest = createHash("sha256")
    .update(stringifyJson([planned.files, files, replaced]))
    .digest("base64url")
  const isRemembered = planned.files.some(({ is }) => is === "source")
  return {
    digest,
    files: planned.files,
    view: {
      source,
      api,
      requests,
      operations,
      saved,
      workflows,
      firstRun: firstRunView(planned),
      files,
      replaced: replaced.map(({ file }) => file),
      losses,
      lossGroups: groupLosses(losses).map(({ group, severity, reason, losses: { length } }) => ({
        group,
        severity,
        ...(reason === undefined ? {} : { reason }),
        count: length,
      })),
      untranslated,
      unset,
      ...(planned.added === undefined ? {} : { added: planned.added }),
      secrets: secretsByCause(planned.secrets),
      sharedAuth: planned.sharedAuth.map(describeSharedAuth),
      ...("request" in planned
        ? { request: { resource: planned.resource, name: planned.request, environment: planned.environment } }
        : {}),
      ...(job.address === undefined || source !== "openapi" || isRemembered ? {} : { isSourceSecret: true }),
    },
  }
}

function firstRunView(planned: ImportChangeSet): ImportPreview["firstRun"] {
  const { workflows, suites, validatesContracts } = firstRunOf(planned)
  return { subjects: [...workflows, ...suites.map(suiteSubject)], validatesContracts }
}

function makeChanges(job: ImportJob): Promise<ImportChangeSet | SavedRequestChangeSet> {
  const { root, input, address, processEnvironment, isApart = false } = job
  const { sources, directory, document, api, saved } = input
  const given = [...(document === undefined ? [] : [document]), ...sources]
  const request: ImportRequest = {
    sources: [
      ...sources.map(({ name, text }) => ({ file: name, text })),
      ...(directory === undefined ? [] : [sourceDirectory(directory)]),
    ],
    api,
    address,
    document: document?.name,
    openDocument: (name) => ({ file: name, text: given.find((one) => one.name === name)?.text ?? "" }),
    environments: isApart ? [] : findEnvironments(root),
    processEnvironment: isApart ? {} : processEnvironment,
    createSearch: createSecretSearch,
    readApi: (name, documents) => (isApart ? undefined : findApi(root, name, documents)),
    // A browser sends only the chosen files.
    readFile: () => ({ ok: false, reason: "upload" }),
  }
  return saved === undefined ? makeImport(request) : makeSavedRequest({ ...request, name: saved.name })
}

const sourceDirectory = ({ name, files }: NonNullable<Input<"imports.plan">["directory"]>) => ({
  file: name,
  files: files.map(({ path, text }) => ({ file: `${name}/${path}`, text })),
  unread: [],
})
