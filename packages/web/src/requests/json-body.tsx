// A JSON body: fields for a small object, otherwise text.

import { useRef, useState } from "react"
import { isJsonObject, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { useFieldProblems, useForm, useFormText } from "../forms/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { CodeEditor, type CodeEditorHandle } from "../files/code-editor.tsx"
import { Tabs, type Tab } from "../runs/tabs.tsx"
import { useEditorTokens } from "../forms/tokens/use-editor-tokens.tsx"
import { FieldRows } from "./field-rows.tsx"
import { innerText, withInnerText } from "./json-text.ts"
import { bodyLeaves, MAX_LEAVES } from "./body-leaves.ts"

interface Props {
  readonly body: JsonValue | undefined
  readonly documented: BodyTypeView | undefined
}

export function JsonBody({ body, documented }: Props) {
  const leaves = bodyLeaves(body ?? {})
  const isFilledIn = (body === undefined || isJsonObject(body)) && leaves.length < MAX_LEAVES
  const text: Tab = { name: "JSON", render: () => <BodyText /> }
  const fields: Tab = {
    name: "Fields",
    render: () => <FieldRows leaves={leaves} documented={documented} />,
  }
  return <Tabs label="Body as" tabs={isFilledIn ? [fields, text] : [text]} />
}

const none: readonly [] = []

/** Invalid JSON stays in the editor but isn't written to the file. */
function BodyText() {
  const form = useForm()
  const text = useFormText()
  const problems = useFieldProblems(["body"])
  const [typed, setTyped] = useState<{ readonly inner: string; readonly of: string }>()
  const editor = useRef<CodeEditorHandle>(null)
  const { actions, card } = useEditorTokens(form.file, none, () => editor.current?.focus())
  const inner = innerText(text, ["body"]) ?? ""
  const isOwn = typed !== undefined && typed.of === text
  const type = (next: string, merge: string | undefined): void => {
    const changed = next.trim() === "" ? undefined : withInnerText(text, ["body"], next)
    setTyped({ inner: next, of: changed ?? text })
    if (changed !== undefined) form.rewrite(() => changed, merge ?? "field body")
  }
  const shown = isOwn ? typed.inner : inner
  const isFaulty = isOwn && withInnerText(text, ["body"], typed.inner) === undefined
  return (
    <div className="body-editor">
      <CodeEditor
        ref={editor}
        language="json"
        text={shown}
        label="Body"
        placeholders={actions}
        onChange={type}
      />
      {card}
      {isFaulty ? <p className="form-fault">This is not valid JSON yet: the body stays unchanged.</p> : null}
      <FieldProblems problems={problems} />
    </div>
  )
}
