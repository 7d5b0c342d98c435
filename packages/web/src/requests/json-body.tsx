// A JSON body: fields for a small object, otherwise text.

import { useRef, useState } from "react"
import { isJsonObject, type JsonValue, parsePath } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { useFieldProblems, useForm, useFormText } from "../forms/context/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { CodeEditor, type CodeEditorHandle } from "../files/code-editor.tsx"
import { useEditorTokens } from "../forms/tokens/use-editor-tokens.tsx"
import {
  bodyLeaves,
  MAX_LEAVES,
  pointerTo,
  type BodyLeaf,
  innerText,
  withInnerText,
} from "../forms/request/body-leaves.ts"
import { Tabs, type Tab } from "../ui/tabs.tsx"
import { bodyFields, requiredFields } from "../forms/body-fields.ts"
import { BodyRows } from "../forms/body-part.tsx"

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
        wraps
        placeholders={actions}
        onChange={type}
      />
      {card}
      {isFaulty ? <p className="form-fault">This is not valid JSON yet: the body stays unchanged.</p> : null}
      <FieldProblems problems={problems} />
    </div>
  )
}

interface FieldRowsProps {
  readonly leaves: readonly BodyLeaf[]
  readonly documented: BodyTypeView | undefined
}

/** The fields in the file, required ones, and those that the user adds. */
function FieldRows({ leaves, documented }: FieldRowsProps) {
  const form = useForm()
  const problems = useFieldProblems(["body"])
  const fields = bodyFields(documented?.type)
  const set = new Map(leaves.map((leaf) => [leaf.path, leaf]))
  const required = requiredFields(fields, [...set.keys()]).map(({ path }) => path)
  const write = (path: string, value: JsonValue | undefined): void =>
    form.change((text) => {
      const parsed = parsePath(path)
      const body = text.read(["body"])
      const pointer = parsed.ok ? pointerTo(body, parsed.segments) : undefined
      if (pointer === undefined) return
      if (value === undefined) text.unset(["body", ...pointer])
      else text.set(["body", ...pointer], value)
    }, `field body ${path}`)
  return (
    <>
      <BodyRows
        fields={fields}
        paths={[...set.keys(), ...required]}
        required={required}
        valueAt={(path) => {
          const leaf = set.get(path)
          return { value: leaf?.value, pointer: ["body", ...(leaf?.pointer ?? [path])] }
        }}
        onWrite={write}
        findingFor={(path) => (parsePath(path).ok ? undefined : "This is not a valid path into the body.")}
      />
      <FieldProblems problems={problems} />
    </>
  )
}
