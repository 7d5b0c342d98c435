// The settings of a workflow: behavior after a failure, contract validation, and inputs.

import { useState } from "react"
import { X } from "lucide-react"
import {
  coerceText,
  isJsonObject,
  workflowShape,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  type ScalarType,
} from "@callsheet/format"
import { freeName, renameInput, takenNames } from "@callsheet/language"
import { editFile, openFileNow } from "../../files/open-files.ts"
import { Select } from "../../forms/choice-field.tsx"
import { pointerKey, type LocatedProblem } from "../../files/text/field-problems.ts"
import { FormProvider, useFieldProblems, useForm } from "../../forms/context/form-context.tsx"
import { FieldProblems, OwnProblems } from "../../forms/form-field.tsx"
import { ShapeField } from "../../forms/shape-field.tsx"
import { RowButton } from "../../forms/value-row.tsx"
import { count } from "../../ui/formats.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import { say } from "../../blocks/editor-state.ts"

interface Props {
  readonly file: WorkflowFile
  readonly text: string
  readonly value: JsonObject
  readonly problems: readonly LocatedProblem[]
}

const none: readonly string[] = []
const onFailure = {
  "": "stop the run (default)",
  halt: "stop the run",
  continue: "continue, and report the failure",
}

export function WorkflowSettings({ file, text, value, problems }: Props) {
  const field = { of: value, shape: workflowShape }
  return (
    <FormProvider file={file} base={[]} text={text} problems={problems} skips={none}>
      <h2 className="wf-panel-title">Settings and inputs</h2>
      <div className="block-form">
        <OwnProblems />
        <ShapeField {...field} name="onFailure" label="When a block fails" words={onFailure} />
        <ShapeField
          {...field}
          name="validateContracts"
          label="Contracts"
          unit="check each response against its operation’s schema"
        />
      </div>
      <WorkflowInputs file={file} inputs={value["inputs"]} />
    </FormProvider>
  )
}

interface InputsProps {
  readonly file: WorkflowFile
  readonly inputs: JsonValue | undefined
}

function WorkflowInputs({ file, inputs }: InputsProps) {
  const form = useForm()
  const problems = useFieldProblems(["inputs"])
  const declared = isJsonObject(inputs) ? Object.entries(inputs) : []
  const add = (): void => {
    const { value } = openFileNow(file)
    if (value === undefined) return
    const name = freeName("input", takenNames(value))
    form.set(["inputs", name], { type: "string" })
    say(`Added the input ${name}`)
    requestAnimationFrame(() => document.querySelector<HTMLInputElement>(`[data-input="${name}"]`)?.select())
  }
  return (
    <section className="wf-inputs" aria-labelledby="inputs-title">
      <h3 id="inputs-title">Inputs</h3>
      {declared.length === 0 ? (
        <p className="faint">
          No inputs. An input is a value that you pass to a run, such as a number of orders. Blocks read it as{" "}
          <code>{"{{name}}"}</code>.
        </p>
      ) : null}
      {inputs !== undefined && !isJsonObject(inputs) ? (
        <p className="form-fault">The inputs are not an object. Edit them as JSON.</p>
      ) : null}
      <FieldProblems problems={problems} />
      {declared.map(([name, declaration]) => (
        <InputFields
          key={name}
          file={file}
          name={name}
          declaration={isJsonObject(declaration) ? declaration : {}}
        />
      ))}
      <button type="button" className="button" onClick={add}>
        Add an input
      </button>
    </section>
  )
}

interface InputProps {
  readonly file: WorkflowFile
  readonly name: string
  readonly declaration: JsonObject
}

function InputFields({ file, name, declaration }: InputProps) {
  const form = useForm()
  const { type, required, description } = declaration
  const at: JsonPointer = ["inputs", name]
  const set = (field: string, value: JsonValue | undefined): void =>
    value === undefined ? form.unset([...at, field]) : form.set([...at, field], value)
  const setType = (next: string): void =>
    form.change((text) => {
      text.set([...at, "type"], next)
      const kept = retyped(declaration["default"], next)
      if (kept === undefined) text.unset([...at, "default"])
      else if (kept !== declaration["default"]) text.set([...at, "default"], kept)
    })
  return (
    <fieldset className="wf-input" data-pointer={pointerKey(at)}>
      <legend className="only-read">
        Input <ShownText text={name} />
      </legend>
      <NameField file={file} name={name} />
      <Select
        aria-label="Type"
        value={typeof type === "string" ? type : ""}
        choices={[...(isType(type) ? [] : [["", "Choose…"] as const]), ...types]}
        onChange={setType}
      />
      <DefaultField type={type} value={declaration["default"]} set={(value) => set("default", value)} />
      <label className="form-check wf-required">
        <input
          type="checkbox"
          checked={required === true}
          onChange={({ target }) => set("required", target.checked ? true : undefined)}
        />
        required
      </label>
      <RowButton
        name={`Delete the input ${visibleText(name)}`}
        title="Delete"
        icon={X}
        onPress={() => {
          form.change((text) => text.unset(at))
          say(`Deleted the input ${visibleText(name)}. Press Ctrl Z to undo.`)
        }}
      />
      <input
        className="form-input wf-input-description"
        type="text"
        aria-label="Description"
        placeholder="What this input is for"
        value={typeof description === "string" ? description : ""}
        onChange={({ target }) => set("description", target.value === "" ? undefined : target.value)}
      />
      <FieldProblems problems={useFieldProblems(at)} />
    </fieldset>
  )
}

/** Renames on blur. Updates the blocks that read the input in the same step. */
function NameField({ file, name }: { readonly file: WorkflowFile; readonly name: string }) {
  const [text, setText] = useState(name)
  const write = (): void => {
    const { text: before, value } = openFileNow(file)
    if (text === name || text === "" || value === undefined) return setText(name)
    const renamed = renameInput({ text: before, value }, name, text)
    if (renamed === undefined) {
      say(`The name ${visibleText(text)} is taken`)
      return setText(name)
    }
    editFile(file, () => renamed.text)
    say(
      `Renamed to ${visibleText(text)}${renamed.reading === 0 ? "" : `, and in ${count(renamed.reading, "place that uses", "places that use")} it`}`,
    )
  }
  return (
    <input
      className="form-input form-code"
      type="text"
      aria-label="Name"
      data-input={name}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={write}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.nativeEvent.isComposing) write()
        else if (event.key === "Escape") setText(name)
      }}
    />
  )
}

interface DefaultProps {
  readonly type: JsonValue | undefined
  readonly value: JsonValue | undefined
  readonly set: (value: JsonValue | undefined) => void
}

/** Invalid input stays in the field but isn't written to the file. */
function DefaultField({ type, value, set }: DefaultProps) {
  const [typed, setTyped] = useState<string>()
  const shown = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)
  if (type === "boolean")
    return (
      <Select
        aria-label="Default"
        value={typeof value === "boolean" ? String(value) : ""}
        choices={booleans}
        onChange={(chosen) => set(chosen === "" ? undefined : chosen === "true")}
      />
    )
  const isFaulty = typed !== undefined && typed !== "" && defaultOf(typed, type) === undefined
  return (
    <input
      className="form-input form-code"
      type="text"
      aria-label="Default"
      aria-invalid={isFaulty}
      title={isFaulty ? "This must be a number." : undefined}
      placeholder="no default"
      value={typed ?? shown}
      onBlur={() => setTyped(undefined)}
      onChange={({ target }) => {
        setTyped(target.value)
        const next = target.value === "" ? undefined : defaultOf(target.value, type)
        if (next !== undefined || target.value === "") set(next)
      }}
    />
  )
}

const types = (["string", "number", "boolean"] as const).map((type) => [type, type] as const)
const booleans = [
  ["", "no default"],
  ["true", "true"],
  ["false", "false"],
] as const

const isType = (type: unknown): type is ScalarType => types.some(([known]) => known === type)

/** Parses the text as the type. Undefined if it isn't valid. */
function defaultOf(text: string, type: JsonValue | undefined): JsonValue | undefined {
  if (!isType(type)) return text
  const value = coerceText(text, type)
  return value ?? undefined
}

/** Converts a default to another type. Undefined if its text isn't valid there. */
function retyped(value: JsonValue | undefined, type: string): JsonValue | undefined {
  if (value === undefined || typeof value === type || !isType(type)) return value
  return defaultOf(typeof value === "string" ? value : JSON.stringify(value), type)
}
