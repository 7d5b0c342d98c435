// The form of transform blocks: outputs, each with the path of its value.

import { useState } from "react"
import { X, Braces } from "lucide-react"
import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { visibleText } from "../ui/visible-text.ts"
import { CheckPart } from "./check-part.tsx"
import { pointerKey } from "../files/text/field-problems.ts"
import { useFieldProblems, useForm } from "../forms/context/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { LiveInput } from "../forms/live-input.tsx"
import { useRequestBefore } from "../forms/assertion-fields.tsx"
import { hasErrors, RowButton } from "../forms/value-row.tsx"
import { formatValue } from "../forms/value-text.ts"
import { scriptSummary, type KindView } from "./kind-view.ts"

export const transform: KindView = {
  Form: TransformForm,
  icon: Braces,
  summary: ({ script, transforms }) => scriptSummary(script) ?? transformsSummary(transforms),
  fresh: () => ({ transforms: {} }),
  looksBack: true,
  color: "violet",
}

function transformsSummary(transforms: JsonValue | undefined): string {
  const names = isJsonObject(transforms) ? Object.keys(transforms) : []
  return names.length === 0 ? "no outputs" : names.slice(0, 6).join(", ")
}

function TransformForm({ block }: { readonly block: JsonObject }) {
  return (
    <CheckPart
      context="TransformContext"
      block={block}
      field="transforms"
      label="Outputs from"
      words="Paths"
      empty={() => ({})}
    >
      <Outputs transforms={block["transforms"]} />
    </CheckPart>
  )
}

function Outputs({ transforms }: { readonly transforms: JsonValue | undefined }) {
  const form = useForm()
  const firstPath = useRequestBefore("response.body")
  const [isNew, setNew] = useState(false)
  const entries = isJsonObject(transforms) ? Object.entries(transforms) : []
  const add = (name: string): void => {
    setNew(true)
    form.change((text) => text.set(["transforms", name], firstPath() ?? ""))
  }
  return (
    <div className="outputs">
      {entries.map(([name, path], index) => (
        <OutputRow
          key={index}
          name={name}
          path={path}
          taken={new Set(entries.map(([known]) => known))}
          takesFocus={isNew && index === entries.length - 1}
        />
      ))}
      <button type="button" className="form-add" onClick={() => add(freeName(entries.map(([name]) => name)))}>
        Add output
      </button>
    </div>
  )
}

function freeName(taken: readonly string[]): string {
  for (let number = taken.length + 1; ; number++) {
    if (!taken.includes(`output${number}`)) return `output${number}`
  }
}

interface RowProps {
  readonly name: string
  readonly path: JsonValue
  readonly taken: ReadonlySet<string>
  readonly takesFocus: boolean
}

function OutputRow({ name, path, taken, takesFocus }: RowProps) {
  const form = useForm()
  const [typed, setTyped] = useState<string>()
  const pointer = ["transforms", name]
  const problems = useFieldProblems(pointer)
  const shown = visibleText(name)
  const isTaken = typed !== undefined && typed !== name && taken.has(typed)
  const rename = (): void => {
    setTyped(undefined)
    if (typed === undefined || typed === "" || taken.has(typed)) return
    form.change((text) => text.renameKey(pointer, typed))
  }
  return (
    <div className="output-row" data-pointer={pointerKey(pointer)}>
      <input
        type="text"
        className="form-input form-code"
        aria-label={`Name of output ${shown}`}
        aria-invalid={isTaken}
        spellCheck={false}
        autoFocus={takesFocus}
        value={typed ?? name}
        onFocus={(event) => (takesFocus ? event.target.select() : undefined)}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => (event.key === "Enter" && !event.ctrlKey ? rename() : undefined)}
        onBlur={rename}
      />
      <LiveInput
        pointer={pointer}
        label={`Path of output ${shown}`}
        aria-invalid={hasErrors(problems)}
        value={formatValue(path)}
        reads="path"
        placeholder="block.response.body.id"
        onChange={(text) => form.set(pointer, text)}
      />
      <span className="row-buttons">
        <RowButton
          name={`Remove output ${shown}`}
          title="Remove"
          icon={X}
          onPress={() => form.change((text) => text.unset(pointer))}
        />
      </span>
      {isTaken ? <p className="form-fault">Another output has this name.</p> : null}
      <FieldProblems problems={problems} />
    </div>
  )
}
