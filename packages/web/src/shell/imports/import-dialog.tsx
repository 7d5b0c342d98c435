// Adds requests and APIs from files, pasted text or a URL: first the input, then a preview, then one change.

import { useEffect, useState, type ComponentProps, type Dispatch, type SetStateAction } from "react"
import { isApiName } from "@callsheet/format"
import {
  MAX_IMPORT_BYTES,
  suiteOf,
  type FetchedDocument,
  type ImportPreview,
  type Input,
} from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { UserError } from "../../connection/fault-of.ts"
import { projectQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { announce } from "../../ui/announcement.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { TextField } from "../../ui/form-fields.tsx"
import { useSubmit, type Submit } from "../../ui/use-submit.ts"
import type { Route } from "../../routes/route.ts"
import { Preview } from "../../files/preview.tsx"
import { goTo } from "../../routes/use-route.ts"
import { LongText } from "../../ui/shown-text.tsx"
import { chosenFolder, directoryOf, folderName, sourceOf, type GivenFiles } from "./given-files.ts"
import { forgetFirstRun } from "./first-run.ts"
import { CarriedNotes } from "./carried-notes.tsx"
import { DropZone, FileField, useNoStrayDrop } from "./file-field.tsx"
import { ImportFiles } from "./import-files.tsx"
import { LossList } from "./loss-list.tsx"
import { importTitles, type ImportKind, type ImportStart } from "./import-state.ts"
import { showImported } from "./imported-state.ts"
import { urlOf } from "./start-text.ts"
import { count, size } from "../../ui/formats.ts"

interface Props {
  readonly kind: ImportKind
  /** Previewed at once. */
  readonly start?: ImportStart | undefined
  readonly onClose: () => void
}

/** A preview, with what it was made from. */
interface Planned {
  readonly plan: ImportPreview
  readonly input: Input<"imports.plan">
  readonly fetched: FetchedDocument | undefined
}

export function ImportDialog({ kind, start, onClose }: Props) {
  const submit = useSubmit()
  useNoStrayDrop()
  const steps = useSteps({ kind, start, onClose }, submit.run)
  const { given, setGiven, planned, isRenamed } = steps
  const isReady = planned !== undefined && planned.plan.files.length > 0
  const does = isReady ? (kind === "files" ? "Import" : "Add") : undefined
  const back = (): void => {
    steps.back()
    submit.clear()
  }
  return (
    <FormDialog
      title={importTitles[kind]}
      submit={submit}
      does={planned === undefined || isRenamed ? "Preview" : does}
      isDanger={isReady && !isRenamed && planned.plan.replaced.length > 0}
      isWide
      onSubmit={() => submit.run(steps.next)}
      onClose={onClose}
      actions={
        planned === undefined ? null : (
          <button type="button" className="button" onClick={back}>
            Back
          </button>
        )
      }
    >
      {planned !== undefined ? (
        <ImportPreview planned={planned} {...steps.answers} />
      ) : start !== undefined && submit.isBusy ? (
        <p role="status">{start.address === undefined ? "Reading…" : "Fetching…"}</p>
      ) : (
        <Fields kind={kind} given={given} onChange={setGiven} run={submit.run} />
      )}
    </FormDialog>
  )
}

/** What the user gives, its preview, and the answers to that. `next` goes one step on. */
function useSteps({ kind, start, onClose: onDone }: Props, run: Submit["run"]) {
  const [given, setGiven] = useState<Given>({ ...nothingGiven, ...start })
  const [planned, setPlanned] = useState<Planned>()
  const [name, setName] = useState("")
  const [mayReplace, setMayReplace] = useState(false)
  const show = (shown: Planned | undefined): void => {
    setPlanned(shown)
    setName(shown?.plan.api ?? "")
    setMayReplace(false)
  }
  useEffect(() => {
    if (start !== undefined) run(async () => show(await planOf(given, kind)))
  }, [])
  const isRenamed = planned !== undefined && name !== planned.plan.api
  const next = async (): Promise<void> => {
    if (planned === undefined) return show(await planOf(given, kind))
    if (isRenamed) return show(await planAs(planned, name))
    await carryOut(planned.plan, mayReplace)
    onDone()
  }
  const answers = { name, onRename: setName, mayReplace, onReplace: setMayReplace }
  return { given, setGiven, planned, isRenamed, answers, next, back: () => show(undefined) }
}

async function planOf(given: Given, kind: ImportKind): Promise<Planned> {
  const input = await inputOf(given, kind)
  const { address } = given
  const fetched = address === "" ? undefined : await call("imports.fetch", { url: urlOf(address) ?? address })
  return planFor(fetched === undefined ? input : { ...input, fetched: fetched.fetched }, fetched)
}

const planFor = async (input: Planned["input"], fetched: Planned["fetched"]): Promise<Planned> => ({
  plan: await call("imports.plan", input),
  input,
  fetched,
})

function planAs({ input, fetched }: Planned, api: string): Promise<Planned> {
  checkApi(api)
  return planFor({ ...input, api }, fetched)
}

async function carryOut(plan: ImportPreview, mayReplace: boolean): Promise<void> {
  if (plan.replaced.length > 0 && !mayReplace)
    throw new UserError("Confirm that the existing files are replaced, or go back.")
  await call("plans.apply", { plan: plan.plan })
  await queryClient.invalidateQueries({ queryKey: ["project"] })
  const route = await firstRoute(plan)
  announce("Imported")
  if (plan.workflows.length + plan.untranslated.length + plan.unset.length > 0) {
    forgetFirstRun()
    showImported(plan)
  }
  goTo(route)
}

/** What the user has chosen, dropped and typed. */
interface Given extends GivenFiles {
  /** The OpenAPI document of the requests: none or one. */
  readonly documents: readonly File[]
  /** The URL of an OpenAPI document. */
  readonly address: string
  readonly pasted: string
  readonly api: string
}

const nothingGiven: Given = { files: [], folder: [], documents: [], address: "", pasted: "", api: "" }

async function inputOf(
  { files, folder, documents, address, pasted, api }: Given,
  kind: ImportKind,
): Promise<Input<"imports.plan">> {
  const isPasted = pasted.trim() !== ""
  const ways = [files.length + folder.length > 0, isPasted, address !== ""].filter(Boolean).length
  if (ways === 0) throw new UserError(nothingWords[kind])
  if (address !== "" && ways > 1) throw new UserError("Either enter a URL, or choose a file or paste text.")
  if (api !== "") checkApi(api)
  const bytes = [...files, ...folder.map(({ file }) => file), ...documents].reduce(
    (sum, file) => sum + file.size,
    0,
  )
  if (bytes + pasted.length > MAX_IMPORT_BYTES) throw tooLarge(bytes + pasted.length)
  const sources = await Promise.all(files.map(sourceOf))
  if (isPasted) sources.push({ name: "pasted text", text: pasted })
  const [document] = await Promise.all(documents.map(sourceOf))
  const directory = await directoryOf(folder)
  return {
    sources,
    ...(directory && { directory }),
    ...(document && { document }),
    ...(api !== "" && { api }),
  }
}

const nothingWords: { readonly [K in ImportKind]: string } = {
  document: "Choose a file, enter a URL or paste text.",
  files: "Choose files or a folder, or paste text.",
}

function checkApi(api: string): void {
  if (!isApiName(api))
    throw new UserError("The name of an API has lowercase letters, digits, _ and -, such as shop.")
}

const tooLarge = (bytes: number): UserError =>
  new UserError(`This is ${size(bytes)}, and the limit of an import is 128 MiB. Import a part of it.`)

interface FieldsProps {
  readonly kind: ImportKind
  readonly given: Given
  readonly onChange: Dispatch<SetStateAction<Given>>
  /** Shows why a folder can't be read. */
  readonly run: Submit["run"]
}

function Fields({ kind, given, onChange, run }: FieldsProps) {
  const isImport = kind === "files"
  const { files, address, pasted, api } = given
  return (
    <DropZone onDrop={(dropped) => run(async () => onChange(withDropped(await dropped, kind)))}>
      <FileField
        label={isImport ? "Files" : "OpenAPI document"}
        note={
          isImport
            ? "A collection of Postman or Insomnia with its environments, or HAR, curl, Arazzo or OpenAPI. You can also drop files here."
            : "JSON or YAML, up to 128 MiB. You can also drop the file here."
        }
        picks={isImport ? "files" : "file"}
        isFirst
        files={files}
        onChange={(chosen) => onChange({ ...given, files: chosen })}
      />
      {isImport ? null : (
        <TextField
          label="Or its URL"
          note="callsheet fetches it once, without credentials. Later, the API's page can update it from there."
          isCode
          value={address}
          onChange={(text) => onChange({ ...given, address: text.trim() })}
        />
      )}
      <TextField
        label="Or paste text"
        isCode
        lines={6}
        value={pasted}
        onChange={(text) => onChange({ ...given, pasted: text })}
      />
      {isImport ? <CollectionFields kind={kind} given={given} onChange={onChange} run={run} /> : null}
      <TextField
        label="API (optional)"
        note="The name of the new API, or of an API in this project. By default, the name in the file."
        isCode
        value={api}
        onChange={(text) => onChange({ ...given, api: text.trim() })}
      />
    </DropZone>
  )
}

/** Adds what is dropped. The user may have typed while it was read. */
function withDropped({ files, folder }: GivenFiles, kind: ImportKind): (now: Given) => Given {
  if (kind === "document" && folder.length > 0) throw new UserError("Drop the file of the document.")
  return (now) => ({
    ...now,
    files: [...now.files, ...files],
    folder: folder.length === 0 ? now.folder : folder,
  })
}

/** The folder of a collection, and the document of any collection. */
function CollectionFields({ given: { folder, documents }, onChange, run }: FieldsProps) {
  const choose = (chosen: readonly File[]): void =>
    run(async () => {
      const found = chosenFolder(chosen)
      onChange((now) => ({ ...now, folder: found }))
    })
  return (
    <>
      <FileField
        label="Bruno collection"
        note="The folder with bruno.json or opencollection.yml. You can also drop it here."
        picks="folder"
        files={folder.map(({ file }) => file)}
        folder={folderName(folder)}
        onChange={choose}
      />
      <FileField
        label="OpenAPI document of these requests (optional)"
        note="Requests that match an operation become calls of this operation."
        files={documents}
        onChange={(chosen) => onChange((now) => ({ ...now, documents: chosen }))}
      />
    </>
  )
}

/** Prefers a request that needs no values. Returns the environments if the base URL is missing. */
async function firstRoute({ api, saved, unset }: ImportPreview): Promise<Route> {
  const { apis } = await queryClient.fetchQuery(projectQuery)
  if (unset.includes(`${api}.baseUrl`)) return { kind: "environments", api }
  const requests = saved === 0 ? [] : (apis.find(({ name }) => name === api)?.requests ?? [])
  const request = requests.find(({ target = "" }) => /^GET [^{]*$/.test(target)) ?? requests[0]
  if (request !== undefined)
    return { kind: "request", api, resource: request.resource, request: request.name }
  const { operations } = await call("operations.list", { api })
  const simple = operations.find(({ method, path }) => method === "GET" && !path.includes("{"))
  const operation = simple ?? operations[0]
  if (operation === undefined) return { kind: "api", api }
  return { kind: "operation", api, method: operation.method, path: operation.path }
}

interface PreviewProps extends Omit<ComponentProps<typeof ImportFiles>, "plan"> {
  readonly planned: Planned
  readonly name: string
  readonly onRename: (name: string) => void
}

function ImportPreview({ planned, name, onRename, ...replacing }: PreviewProps) {
  const { plan, fetched } = planned
  return (
    <Preview label="Preview">
      {fetched === undefined ? null : <FetchedFrom fetched={fetched} plan={plan} />}
      <p className="plan-count">{summaryOf(plan)}</p>
      <TextField
        label="Name of the API"
        note="Press Enter after a change to see the files again."
        isCode
        value={name}
        onChange={(text) => onRename(text.trim())}
      />
      {isEmpty(plan) ? null : <LossList losses={plan.losses} lossGroups={plan.lossGroups} />}
      {plan.unset.length === 0 ? null : (
        <p>
          Set a value for {count(plan.unset.length, "variable")} before you send:{" "}
          <LongText text={plan.unset.join(", ")} />
        </p>
      )}
      <CarriedNotes plan={plan} />
      {name === plan.api ? <ImportFiles plan={plan} {...replacing} /> : null}
    </Preview>
  )
}

/** Returns whether the source has nothing that could be lost. */
const isEmpty = ({ source, requests, losses }: ImportPreview): boolean =>
  source !== "openapi" && requests === 0 && losses.length === 0

interface FetchedProps {
  readonly fetched: FetchedDocument
  readonly plan: ImportPreview
}

/** Where the document comes from, over which redirects, and whether the project remembers the address. */
function FetchedFrom({ fetched: { url, redirects, sizeBytes }, plan }: FetchedProps) {
  return (
    <div className="fetched-from">
      <p>
        Fetched {size(sizeBytes)} from{" "}
        <code className="wrap">
          <LongText text={url} />
        </code>
      </p>
      {redirects.map((redirect, index) => (
        <p key={index} className="faint">
          {redirect.status} to <LongText text={redirect.url} />
        </p>
      ))}
      {plan.isSourceSecret === true ? (
        <p>callsheet doesn't remember this address, because its query may contain a secret.</p>
      ) : null}
    </div>
  )
}

function summaryOf(plan: ImportPreview): string {
  const { source, api, requests, operations, saved, workflows, firstRun, added } = plan
  if (added !== undefined)
    return `Adds the API ${api} with ${count(added.operations, "operation")} and ${count(added.environments, "environment")}.`
  const suites = firstRun.subjects.filter((subject) => suiteOf(subject) !== undefined).length
  const parts = [
    operations === 0 ? undefined : `${count(operations, "call")} of operations`,
    saved === 0 ? undefined : count(saved, "saved request"),
    workflows.length === 0 ? undefined : count(workflows.length, "workflow"),
    suites === 0 ? undefined : count(suites, "suite"),
  ].filter((part) => part !== undefined)
  if (parts.length === 0)
    return requests === 0
      ? `The source (${source}) has no requests.`
      : `callsheet can't send any of the ${count(requests, "request")} of the source (${source}).`
  return `${count(requests, "request")} of the API ${api}: ${parts.join(", ")}.`
}
