// Form of loop blocks: the mode and that mode's fields.

import {
  blockDefaults,
  fieldsOfOtherModes,
  type JsonObject,
  type JsonValue,
  type LoopMode,
} from "@callsheet/format"
import { AssertionFields, useNewAssertion } from "../assertion-fields.tsx"
import { CheckPart, useUndoNotice } from "../check-part.tsx"
import { ChoiceField } from "../choice-field.tsx"
import { useForm } from "../form-context.tsx"
import { NumberInput } from "../number-input.tsx"
import { TextField } from "../text-field.tsx"
import { assertionSummary, scriptSummary, shortValue, textIn, type KindView } from "./kind-view.ts"

export const loop: KindView = {
  Form: LoopForm,
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

const foreignFields = (block: JsonObject, mode: LoopMode): readonly string[] =>
  fieldsOfOtherModes(mode).filter((field) => Object.hasOwn(block, field))

function LoopForm({ block }: { readonly block: JsonObject }) {
  const form = useForm()
  const newAssertion = useNewAssertion()
  const undo = useUndoNotice()
  const { mode } = block
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
      <TextField
        label="Iterator"
        pointer={["iteratorVar"]}
        value={block["iteratorVar"]}
        reads="none"
        placeholder="none"
        note={
          mode === "forEach"
            ? "The name of the item, for {{placeholders}} inside the loop."
            : "The name of the index, for {{placeholders}} inside the loop."
        }
      />
      {mode === "until" ? null : (
        <ChoiceField
          label="Iterations"
          pointer={["execution"]}
          value={block["execution"]}
          absent="one at a time"
          choices={[
            ["sequential", "sequential"],
            ["parallel", "parallel: all at once"],
          ]}
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
  switch (block["mode"]) {
    case "times":
      return <NumberInput label="Count" pointer={["count"]} value={block["count"]} />
    case "forEach":
      return (
        <TextField
          label="Source"
          pointer={["source"]}
          value={block["source"]}
          reads="path"
          placeholder="block.response.body.items"
          isRequired
        />
      )
    case "until":
      return <UntilFields block={block} newAssertion={newAssertion} />
    default:
      return null
  }
}

function UntilFields({ block, newAssertion }: ModeProps) {
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
      <NumberInput
        label="At most"
        pointer={["maxIterations"]}
        value={block["maxIterations"]}
        placeholder={String(blockDefaults.maxIterations)}
        unit="iterations"
      />
      <NumberInput
        label="Wait"
        pointer={["delayMs"]}
        value={block["delayMs"]}
        placeholder={String(blockDefaults.delayMs)}
        unit="ms"
      />
    </>
  )
}
