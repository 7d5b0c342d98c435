// The check of a block: fields in the file, or a script. Offers to undo an edit that removed something.

import { useState, type ReactNode } from "react"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownOf } from "@callsheet/format"
import type { ScriptContextName } from "@callsheet/server/calls"
import { useForm } from "../forms/context/form-context.tsx"
import { PairField } from "../forms/choice-field.tsx"
import { ScriptFields, ScriptTimeout } from "./script-fields.tsx"

interface Props {
  readonly block: JsonObject
  /** The field that the block has if it doesn't call a script. */
  readonly field: string
  readonly label: string
  readonly words: string
  readonly empty: () => JsonValue
  readonly context: ScriptContextName
  readonly children: ReactNode
}

export function CheckPart({ block, field, label, words, empty, context, children }: Props) {
  const form = useForm()
  const undo = useUndoNotice()
  const isScript = block["script"] !== undefined && ownOf(block, field) === undefined
  const choose = (toScript: boolean): void => {
    const [from, to] = toScript ? [field, "script"] : ["script", field]
    const words = removedWords(ownOf(block, from), block["timeoutMs"], toScript)
    form.change((text) => {
      text.unset([from])
      if (!toScript) text.unset(["timeoutMs"])
      if (ownOf(block, to) === undefined) text.set([to], toScript ? { name: "", exportName: "" } : empty())
    })
    undo.show(words)
  }
  return (
    <>
      <PairField label={label} words={[words, "Script"]} isSecond={isScript} onChoose={choose} />
      {undo.notice}
      {isScript || ownOf(block, field) !== undefined ? null : (
        <p className="form-fault">{words} or a script is required.</p>
      )}
      {ownOf(block, field) === undefined ? null : children}
      {block["script"] === undefined ? null : <ScriptFields script={block["script"]} context={context} />}
      {block["script"] === undefined && block["timeoutMs"] === undefined ? null : (
        <ScriptTimeout of={block} />
      )}
    </>
  )
}

/** Describes the loss if a change removes something that the user wrote. Otherwise, undefined. */
function removedWords(
  value: JsonValue | undefined,
  timeout: JsonValue | undefined,
  toScript: boolean,
): string | undefined {
  if (toScript) {
    const size = isJsonArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0
    if (size === 0) return undefined
    const what = isJsonArray(value)
      ? size === 1
        ? "1 assertion"
        : `${size} assertions`
      : "the previous value"
    return `The script replaces ${what}.`
  }
  const { name } = isJsonObject(value) ? value : {}
  if ((name === undefined || name === "") && timeout === undefined) return undefined
  return "The block no longer calls the script. The script file is kept."
}

interface UndoNotice {
  /** Call this after the edit. Undefined means that it removed nothing. */
  readonly show: (words: string | undefined) => void
  readonly notice: ReactNode
}

export function useUndoNotice(): UndoNotice {
  const { now, undo } = useForm()
  const [removed, setRemoved] = useState<{ readonly words: string; readonly text: string }>()
  const isLast = removed !== undefined && now() === removed.text
  return {
    show: (words) => setRemoved(words === undefined ? undefined : { words, text: now() }),
    notice: !isLast ? null : (
      <p className="form-lost" role="status">
        {removed.words}{" "}
        <button
          type="button"
          className="quiet-button"
          onClick={() => {
            setRemoved(undefined)
            undo()
          }}
        >
          Undo
        </button>
      </p>
    ),
  }
}
