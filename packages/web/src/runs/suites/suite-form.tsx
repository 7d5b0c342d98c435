// The form of a new suite or an existing one: its name, its entries in order, and the environment of each API.

import { useState } from "react"
import { ArrowDown, ArrowUp, X } from "lucide-react"
import { hints, isSuiteName, ownOf, PROJECT_FILE, setOwn, type JsonValue } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { UserError } from "../../connection/fault-of.ts"
import { RowButton } from "../../forms/value-row.tsx"
import { goTo } from "../../routes/use-route.ts"
import { announce } from "../../ui/announcement.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { ChoiceField, TextField } from "../../ui/form-fields.tsx"
import { checkNewName, needName } from "../../ui/new-name.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { openTab } from "../../routes/open-tabs.ts"
import { entryWords, suiteLists, withMoved, type SuiteDraft, type SuiteList } from "./suite-draft.ts"
import { writeSuite } from "./write-suite.ts"

interface Props {
  readonly project: ProjectView
  /** The suite to edit. Undefined for a new one. */
  readonly suite: string | undefined
  readonly first: SuiteDraft
  readonly onClose: () => void
}

export function SuiteForm({ project, suite, first, onClose }: Props) {
  const submit = useSubmit()
  const [name, setName] = useState(suite ?? "")
  const [draft, setDraft] = useState(first)
  const taken = project.suites ?? []
  const fault =
    suite === undefined
      ? checkNewName(name, { what: "a suite", isName: isSuiteName, hint: hints.name, taken })
      : undefined
  const workflows = project.workflows.map((workflow) => workflow.name)
  const save = async (): Promise<void> => {
    if (suite === undefined) needName(name)
    if (draft.lists.workflows.length === 0) throw new UserError("Add at least one workflow.")
    await writeSuite(name, draft, project.suites !== undefined)
    announce(`${suite === undefined ? "Created" : "Saved"} ${visibleText(name)}`)
    onClose()
    if (suite === undefined) openTab({ kind: "suite", suite: name })
  }
  return (
    <FormDialog
      title={suite === undefined ? "New suite" : `Edit ${visibleText(suite)}`}
      submit={submit}
      does={suite === undefined ? "Create" : "Save"}
      isWide
      onSubmit={() => {
        if (fault === undefined) submit.run(save)
      }}
      onClose={onClose}
    >
      {suite === undefined ? (
        <TextField label="Name" isCode isFirst value={name} onChange={setName} fault={fault} />
      ) : null}
      <TextField
        label="Description"
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
      />
      {suiteLists.map((list) => (
        <Entries
          key={list}
          list={list}
          entries={draft.lists[list]}
          workflows={workflows}
          onChange={(entries) => setDraft({ ...draft, lists: { ...draft.lists, [list]: entries } })}
        />
      ))}
      <Environments project={project} env={draft.env} onChange={(env) => setDraft({ ...draft, env })} />
      <JsonNote isNew={suite === undefined} onClose={onClose} />
    </FormDialog>
  )
}

/** Leads to the text, which has all fields. */
function JsonNote({ isNew, onClose }: { readonly isNew: boolean; readonly onClose: () => void }) {
  const show = (): void => {
    onClose()
    goTo({ kind: "settings" })
  }
  return (
    <p className="field-note">
      {isNew ? `Saved in ${PROJECT_FILE}. ` : null}
      Inputs, data rows, retries and locks of an entry are edited in{" "}
      <button type="button" className="link" onClick={show}>
        {PROJECT_FILE}
      </button>
      .
    </p>
  )
}

const listWords: { readonly [L in SuiteList]: { readonly label: string; readonly note: string } } = {
  before: { label: "Before", note: "Run first, in order. Later entries read their results." },
  workflows: { label: "Workflows", note: "The entries of the suite." },
  finally: { label: "Finally", note: "Run last, whatever happened before." },
}

interface EntriesProps {
  readonly list: SuiteList
  readonly entries: readonly JsonValue[]
  readonly workflows: readonly string[]
  readonly onChange: (entries: readonly JsonValue[]) => void
}

function Entries({ list, entries, workflows, onChange }: EntriesProps) {
  const { label, note } = listWords[list]
  return (
    <fieldset className="suite-entries">
      <legend className="field-label">{label}</legend>
      <p className="field-note">{note}</p>
      <ol>
        {entries.map((entry, index) => (
          <Entry key={index} {...{ entry, index, entries, label, onChange }} />
        ))}
      </ol>
      <select
        className="form-input"
        aria-label={`Add to ${label.toLowerCase()}`}
        value=""
        onChange={({ target }) => onChange([...entries, target.value])}
      >
        <option value="" disabled>
          Add a workflow…
        </option>
        {workflows.map((workflow) => (
          <option key={workflow} value={workflow}>
            {visibleText(workflow)}
          </option>
        ))}
      </select>
    </fieldset>
  )
}

interface EntryProps extends Pick<EntriesProps, "entries" | "onChange"> {
  readonly entry: JsonValue
  readonly index: number
  readonly label: string
}

function Entry({ entry, index, entries, label, onChange }: EntryProps) {
  const { name, more } = entryWords(entry)
  const words = `${visibleText(name)} in ${label.toLowerCase()}`
  return (
    <li className="suite-entry">
      <code>
        <ShownText text={name} />
      </code>
      {more === "" ? null : (
        <span className="faint">
          with <ShownText text={more} />
        </span>
      )}
      <span className="suite-entry-buttons">
        <RowButton
          name={`Move up ${words}`}
          title="Move up"
          icon={ArrowUp}
          isOff={index === 0}
          onPress={() => onChange(withMoved(entries, index, -1))}
        />
        <RowButton
          name={`Move down ${words}`}
          title="Move down"
          icon={ArrowDown}
          isOff={index === entries.length - 1}
          onPress={() => onChange(withMoved(entries, index, 1))}
        />
        <RowButton
          name={`Remove ${words}`}
          title="Remove"
          icon={X}
          onPress={() => onChange(entries.toSpliced(index, 1))}
        />
      </span>
    </li>
  )
}

interface EnvironmentsProps {
  readonly project: ProjectView
  readonly env: SuiteDraft["env"]
  readonly onChange: (env: SuiteDraft["env"]) => void
}

/** Keeps the environments of APIs that aren't in the project. */
function Environments({ project, env, onChange }: EnvironmentsProps) {
  const choose = (api: string, environment: string): void => {
    const others = Object.entries(env).filter(([name]) => name !== api)
    const next: Record<string, string> = {}
    for (const [name, value] of others) setOwn(next, name, value)
    if (environment !== "") setOwn(next, api, environment)
    onChange(next)
  }
  return project.apis
    .filter(({ environments }) => environments.length > 0)
    .map(({ name, environments }) => (
      <ChoiceField
        key={name}
        label={`Environment of ${visibleText(name)}`}
        value={ownOf(env, name) ?? ""}
        options={[
          { value: "", label: "as chosen for the run" },
          ...environments.map((environment) => ({
            value: environment.name,
            label: visibleText(environment.name),
          })),
        ]}
        onChange={(environment) => choose(name, environment)}
      />
    ))
}
