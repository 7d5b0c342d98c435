// Adds requests and APIs from files, pasted text or a URL: first the input, then a preview, then one change.

import { useEffect, useState, type ComponentProps, type DragEvent, type ReactNode } from "react"
import { isApiName } from "@callsheet/format"
import {
  MAX_IMPORT_BYTES,
  type FetchedDocument,
  type ImportPreview,
  type ImportSource,
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
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { forgetFirstRun } from "./first-run.ts"
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
  const steps = useSteps(start, submit.run, onClose)
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
        <Fields kind={kind} given={given} onChange={setGiven} />
      )}
    </FormDialog>
  )
}

/** What the user gives, its preview, and the answers to that. `next` goes one step on. */
function useSteps(start: Props["start"], run: Submit["run"], onDone: () => void) {
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
    if (start !== undefined) run(async () => show(await planOf(given)))
  }, [])
  const isRenamed = planned !== undefined && name !== planned.plan.api
  const next = async (): Promise<void> => {
    if (planned === undefined) return show(await planOf(given))
    if (isRenamed) return show(await planAs(planned, name))
    await carryOut(planned.plan, mayReplace)
    onDone()
  }
  const answers = { name, onRename: setName, mayReplace, onReplace: setMayReplace }
  return { given, setGiven, planned, isRenamed, answers, next, back: () => show(undefined) }
}

async function planOf(given: Given): Promise<Planned> {
  const input = await inputOf(given)
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
  if (!isApiName(api))
    throw new UserError("The name of an API has lowercase letters, digits, _ and -, such as shop.")
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
interface Given {
  readonly files: readonly File[]
  /** The files of the folder of a collection. */
  readonly folder: readonly File[]
  /** The OpenAPI document of the requests: none or one. */
  readonly documents: readonly File[]
  /** The URL of an OpenAPI document. */
  readonly address: string
  readonly pasted: string
  readonly api: string
}

const nothingGiven: Given = { files: [], folder: [], documents: [], address: "", pasted: "", api: "" }

async function inputOf({
  files,
  folder,
  documents,
  address,
  pasted,
  api,
}: Given): Promise<Input<"imports.plan">> {
  const isPasted = pasted.trim() !== ""
  const ways = [files.length + folder.length > 0, isPasted, address !== ""].filter(Boolean).length
  if (ways === 0) throw new UserError("Choose a file, enter a URL or paste text.")
  if (address !== "" && ways > 1) throw new UserError("Either enter a URL, or choose a file or paste text.")
  const bytes = [...files, ...folder, ...documents].reduce((sum, file) => sum + file.size, 0)
  if (bytes + pasted.length > MAX_IMPORT_BYTES) throw tooLarge()
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

const tooLarge = (): UserError =>
  new UserError("This is more than 128 MiB, which is the limit of a document.")

const sourceOf = async (file: File): Promise<ImportSource> => ({ name: file.name, text: await file.text() })

/** Reads a chosen folder. Its files have its name before their paths. */
async function directoryOf([first, ...others]: readonly File[]): Promise<Input<"imports.plan">["directory"]> {
  if (first === undefined) return undefined
  const [name = ""] = first.webkitRelativePath.split("/")
  const read = async (file: File) => ({
    path: file.webkitRelativePath.slice(name.length + 1),
    text: await file.text(),
  })
  return { name, files: await Promise.all([first, ...others].map(read)) }
}

/** Returns whether a collection can have the file. Others, such as git's, are not read. */
const isOfCollection = ({ webkitRelativePath: path }: File): boolean =>
  /\.(?:bru|ya?ml|json)$/.test(path) && !/\/(?:\.[^/]*|node_modules)\//.test(path)

interface FieldsProps {
  readonly kind: ImportKind
  readonly given: Given
  readonly onChange: (given: Given) => void
}

function Fields({ kind, given, onChange }: FieldsProps) {
  const isImport = kind === "files"
  const { files, folder, documents, address, pasted, api } = given
  return (
    <DropZone onDrop={(dropped) => onChange({ ...given, files: [...files, ...dropped] })}>
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
      {isImport ? (
        <FileField
          label="Bruno collection"
          note="The folder with bruno.json or opencollection.yml."
          picks="folder"
          files={folder}
          onChange={(chosen) => onChange({ ...given, folder: chosen.filter(isOfCollection) })}
        />
      ) : null}
      {isImport ? (
        <FileField
          label="OpenAPI document of these requests (optional)"
          note="Requests that match an operation become calls of this operation."
          files={documents}
          onChange={(chosen) => onChange({ ...given, documents: chosen })}
        />
      ) : null}
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

/** Takes dropped files anywhere on the form. A drop next to it must not open the file in the browser. */
function DropZone({
  onDrop,
  children,
}: {
  readonly onDrop: (files: readonly File[]) => void
  readonly children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent, next: boolean): void => {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    setOver(next)
  }
  return (
    <div
      className={isOver ? "drop-zone drop-zone-over" : "drop-zone"}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        onDrop([...event.dataTransfer.files])
      }}
    >
      {children}
    </div>
  )
}

interface FileFieldProps {
  readonly label: string
  readonly note: string
  readonly picks?: keyof typeof pickWords
  readonly isFirst?: boolean
  readonly files: readonly File[]
  readonly onChange: (files: readonly File[]) => void
}

const pickWords = { file: "Choose a file…", files: "Choose files…", folder: "Choose a folder…" } as const

function FileField({ label, note, picks = "file", isFirst = false, files, onChange }: FileFieldProps) {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      <div className="file-field">
        <label className="button file-button">
          {pickWords[picks]}
          <input
            type="file"
            className="only-read"
            aria-label={label}
            multiple={picks === "files"}
            {...(picks === "folder" ? { webkitdirectory: "" } : {})}
            data-first={isFirst ? "" : undefined}
            onChange={({ target }) => {
              onChange([...(picks === "files" ? files : []), ...(target.files ?? [])])
              // The same file can be chosen again after it was removed.
              target.value = ""
            }}
          />
        </label>
        <ul className="file-names" aria-label={`${label}: chosen`}>
          {picks === "folder" && files.length > 0 ? <li>{count(files.length, "file")}</li> : null}
          {(picks === "folder" ? [] : files).map((file, index) => (
            <li key={index}>
              <code>
                <ShownText text={file.name} />
              </code>
              <button
                type="button"
                className="button button-quiet"
                aria-label={`Remove ${visibleText(file.name)}`}
                onClick={() => onChange(files.toSpliced(index, 1))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      </div>
      <p className="field-note">{note}</p>
    </div>
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
      <LossList losses={plan.losses} lossGroups={plan.lossGroups} />
      {plan.unset.length === 0 ? null : (
        <p>
          Set a value for {count(plan.unset.length, "variable")} before you send:{" "}
          <LongText text={plan.unset.join(", ")} />
        </p>
      )}
      {name === plan.api ? <ImportFiles plan={plan} {...replacing} /> : null}
    </Preview>
  )
}

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

function summaryOf({ source, api, requests, operations, saved, workflows }: ImportPreview): string {
  if (source === "openapi") return `Adds the API ${api} with its document and environments.`
  const parts = [
    operations === 0 ? undefined : `${count(operations, "call")} of operations`,
    saved === 0 ? undefined : count(saved, "saved request"),
    workflows.length === 0 ? undefined : count(workflows.length, "workflow"),
  ].filter((part) => part !== undefined)
  return `${count(requests, "request")} of the API ${api}: ${parts.length === 0 ? "nothing to carry over" : parts.join(", ")}.`
}
