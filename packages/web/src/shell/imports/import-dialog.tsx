// Adds requests from files or pasted text: first the input, then a preview, then one change.

import { useState, type DragEvent, type ReactNode } from "react"
import { MAX_BODY_BYTES, type ImportPreview, type ImportSource, type Input } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { UserError } from "../../connection/fault-of.ts"
import { projectQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { announce } from "../../ui/announcement.tsx"
import { CopyButton } from "../../ui/copy-button.tsx"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { TextField, CheckField } from "../../ui/form-fields.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import type { Route } from "../../routes/route.ts"
import { NameList, Preview } from "../../files/preview.tsx"
import { goTo } from "../../routes/use-route.ts"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { importTitles, type ImportKind } from "./import-state.ts"
import { count } from "../../ui/formats.ts"

interface Props {
  readonly kind: ImportKind
  readonly onClose: () => void
}

export function ImportDialog({ kind, onClose }: Props) {
  const submit = useSubmit()
  const [given, setGiven] = useState<Given>({ files: [], folder: [], documents: [], pasted: "", api: "" })
  const [plan, setPlan] = useState<ImportPreview>()
  const [mayReplace, setMayReplace] = useState(false)
  const carryOut = async (planned: ImportPreview): Promise<void> => {
    if (planned.replaced.length > 0 && !mayReplace)
      throw new UserError("Confirm that the existing files are replaced, or go back.")
    await call("plans.apply", { plan: planned.plan })
    await queryClient.invalidateQueries({ queryKey: ["project"] })
    const route = await firstRoute(planned)
    announce("Imported")
    onClose()
    goTo(route)
  }
  const isReady = plan !== undefined && plan.files.length > 0
  return (
    <FormDialog
      title={importTitles[kind]}
      submit={submit}
      does={plan === undefined ? "Preview" : isReady ? (kind === "files" ? "Import" : "Add") : undefined}
      isDanger={isReady && plan.replaced.length > 0}
      isWide
      onSubmit={() =>
        submit.run(async () => {
          if (plan !== undefined) await carryOut(plan)
          else setPlan(await call("imports.plan", await inputOf(given)))
        })
      }
      onClose={onClose}
      actions={
        plan === undefined ? null : (
          <button
            type="button"
            className="button"
            onClick={() => {
              setPlan(undefined)
              setMayReplace(false)
              submit.clear()
            }}
          >
            Back
          </button>
        )
      }
    >
      {plan === undefined ? (
        <Fields kind={kind} given={given} onChange={setGiven} />
      ) : (
        <ImportPreview plan={plan} mayReplace={mayReplace} onReplace={setMayReplace} />
      )}
    </FormDialog>
  )
}

/** What the user has chosen, dropped and typed. */
interface Given {
  readonly files: readonly File[]
  /** The files of the folder of a collection. */
  readonly folder: readonly File[]
  /** The OpenAPI document of the requests: none or one. */
  readonly documents: readonly File[]
  readonly pasted: string
  readonly api: string
}

async function inputOf({ files, folder, documents, pasted, api }: Given): Promise<Input<"imports.plan">> {
  const isPasted = pasted.trim() !== ""
  if (files.length + folder.length === 0 && !isPasted) throw new UserError("Choose a file or paste text.")
  if ([...files, ...folder, ...documents].reduce((sum, { size }) => sum + size, 0) > MAX_BODY_BYTES)
    throw tooLarge()
  const sources = await Promise.all(files.map(sourceOf))
  if (isPasted) sources.push({ name: "pasted text", text: pasted })
  const [document] = await Promise.all(documents.map(sourceOf))
  const directory = await directoryOf(folder)
  const input = {
    sources,
    ...(directory && { directory }),
    ...(document && { document }),
    ...(api !== "" && { api }),
  }
  if (new TextEncoder().encode(JSON.stringify(input)).length > MAX_BODY_BYTES) throw tooLarge()
  return input
}

const tooLarge = (): UserError =>
  new UserError("This is more than 10 MB. Import it on the command line: callsheet import <file>")

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
  const { files, folder, documents, pasted, api } = given
  return (
    <DropZone onDrop={(dropped) => onChange({ ...given, files: [...files, ...dropped] })}>
      <FileField
        label={isImport ? "Files" : "OpenAPI document"}
        note={
          isImport
            ? "A collection of Postman or Insomnia with its environments, or HAR, curl, Arazzo or OpenAPI. You can also drop files here."
            : "JSON or YAML. You can also drop the file here."
        }
        picks={isImport ? "files" : "file"}
        isFirst
        files={files}
        onChange={(chosen) => onChange({ ...given, files: chosen })}
      />
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

interface PreviewProps {
  readonly plan: ImportPreview
  /** True if the user agreed to overwrite files. */
  readonly mayReplace: boolean
  readonly onReplace: (mayReplace: boolean) => void
}

function ImportPreview({ plan, mayReplace, onReplace }: PreviewProps) {
  return (
    <Preview label="Preview">
      <p className="plan-count">{summaryOf(plan)}</p>
      <Losses losses={plan.losses} />
      {plan.unset.length === 0 ? null : (
        <p>
          Set a value for {count(plan.unset.length, "variable")} before you send:{" "}
          <LongText text={plan.unset.join(", ")} />
        </p>
      )}
      {plan.replaced.length === 0 ? null : (
        <section className="field-group" aria-label="Files to replace">
          <p className="field-error">
            {count(plan.replaced.length, "file already exists", "files already exist")} with other content:
          </p>
          <NameList label="Files that exist" names={plan.replaced} />
          <CheckField
            label={`Replace ${plan.replaced.length === 1 ? "this file" : `these ${count(plan.replaced.length, "file")}`}`}
            note="Their current content is lost unless it is committed."
            isOn={mayReplace}
            onChange={onReplace}
          />
        </section>
      )}
      {plan.files.length === 0 ? (
        <p>The project already has these files. Nothing changes.</p>
      ) : (
        <details className="plan-file" open={plan.files.length <= 12}>
          <summary>{count(plan.files.length, "file")} will be written</summary>
          <NameList label="Files" names={plan.files} />
        </details>
      )}
    </Preview>
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

function Losses({ losses }: Pick<ImportPreview, "losses">) {
  if (losses.length === 0) return <p>Everything is carried over.</p>
  const lines = losses.map(({ where, what, reason }) => `${where}: ${what}: ${reason}`)
  return (
    <details className="plan-file" open>
      <summary>{count(lines.length, "item")} can't be carried over whole</summary>
      <NameList label="Not carried over whole" names={lines} />
      <CopyButton text={lines.join("\n")} what="list" />
    </details>
  )
}
