// Form of loop blocks: the mode and that mode's fields.

import { Repeat } from "lucide-react"
import {
  blockDefaults,
  fieldsOfOtherModes,
  shapeOfKind,
  type JsonObject,
  type JsonValue,
  type LoopMode,
} from "@callsheet/format"
import { AssertionFields, useNewAssertion } from "../forms/assertion-fields.tsx"
import { CheckPart, useUndoNotice } from "./check-part.tsx"
import { ChoiceField } from "../forms/choice-field.tsx"
import { useForm } from "../forms/context/form-context.tsx"
import { ShapeField } from "../forms/shape-field.tsx"
import { textIn } from "../forms/value-text.ts"
import { assertionSummary, scriptSummary, shortValue, type KindView } from "./kind-view.ts"

export const loop: KindView = {
  Form: LoopForm,
  icon: Repeat,
  summary: loopSummary,
  fresh: () => ({ mode: "times", count: 2, blocks: [] }),
  color: "accent",
}

function loopSummary(loop: JsonObject): string {
  const iterator = textIn(loop["iteratorVar"])
  const as = iterator === "" ? "" : ` as ${iterator}`
  const parallel = loop["execution"] === "parallel" ? ", in parallel" : ""
  if (loop["mode"] === "times") return `${shortValue(loop["count"])} times${as}${parallel}`
  if (loop["mode"] === "forEach") return `for each of ${textIn(loop["source"]) || "…"}${as}${parallel}`
  if (loop["mode"] !== "until") return ""
  const check = scriptSummary(loop["script"]) ?? assertionSummary(loop["until"])
  return `until ${check}, at most ${shortValue(loop["maxIterations"] ?? blockDefaults.maxIterations)}`
}

const modes: readonly (readonly [LoopMode, string])[] = [
  ["times", "times: a fixed number of times"],
  ["forEach", "forEach: once per item of an array"],
  ["until", "until: repeat until a check passes"],
]

const shape = shapeOfKind("loop")

const foreignFields = (block: JsonObject, mode: LoopMode): readonly string[] =>
  fieldsOfOtherModes(mode).filter((field) => Object.hasOwn(block, field))

function LoopForm({ block }: { readonly block: JsonObject }) {
  const form = useForm()
  const newAssertion = useNewAssertion()
  const undo = useUndoNotice()
  const { mode } = block
  const field = { of: block, shape }
  const choose = (next: string): void => {
    const chosen = modes.find(([known]) => known === next)?.[0]
    if (chosen === undefined) return
    const foreign = foreignFields(block, chosen)
    form.change((text) => {
      for (const field of foreign) text.unset([field])
      text.set(["mode"], chosen)
      if (chosen === "times" && block["count"] === undefined) text.set(["count"], 1)
      if (chosen === "forEach" && block["source"] === undefined) text.set(["source"], "")
      if (chosen === "until" && block["until"] === undefined && block["script"] === undefined)
        text.set(["until"], newAssertion())
    })
    undo.show(foreign.length === 0 ? undefined : `Removed ${listed(foreign)}, which this mode doesn't use.`)
  }
  return (
    <>
      <ChoiceField label="Mode" pointer={["mode"]} value={mode} choices={modes} onChoose={choose} />
      {undo.notice}
      <ModeFields block={block} newAssertion={newAssertion} />
      <ShapeField
        {...field}
        name="iteratorVar"
        label="Iterator"
        placeholder="none"
        note={`The name of the ${mode === "forEach" ? "item" : "index"}, for {{placeholders}} inside the loop.`}
      />
      {mode === "until" ? null : (
        <ShapeField
          {...field}
          name="execution"
          label="Iterations"
          words={{ "": "one at a time", parallel: "parallel: all at once" }}
        />
      )}
    </>
  )
}

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ")

interface ModeProps {
  readonly block: JsonObject
  readonly newAssertion: () => JsonValue
}

function ModeFields({ block, newAssertion }: ModeProps) {
  const field = { of: block, shape }
  switch (block["mode"]) {
    case "times":
      return <ShapeField {...field} name="count" label="Count" />
    case "forEach":
      return (
        <ShapeField
          {...field}
          name="source"
          label="Source"
          reads="path"
          placeholder="block.response.body.items"
        />
      )
    case "until":
      return <UntilFields block={block} newAssertion={newAssertion} />
    default:
      return null
  }
}

function UntilFields({ block, newAssertion }: ModeProps) {
  const field = { of: block, shape }
  return (
    <>
      <CheckPart
        context="ConditionContext"
        block={block}
        field="until"
        label="Stop when"
        words="Assertion"
        empty={newAssertion}
      >
        <AssertionFields pointer={["until"]} value={block["until"]} name="Check" />
      </CheckPart>
      <ShapeField {...field} name="maxIterations" label="At most" unit="iterations" />
      <ShapeField {...field} name="delayMs" label="Wait" unit="ms" />
    </>
  )
}
