// The code editor of an open file. It shares its undo history with the forms of the file.

import type { CompletionSource } from "@codemirror/autocomplete"
import { useRef } from "react"
import type { FileName } from "@callsheet/server/calls"
import { CodeEditor, type CodeEditorHandle } from "../files/code-editor.tsx"
import { useEditorTokens } from "./tokens/use-editor-tokens.tsx"
import type { FindMeaning } from "../files/code-mirror/meanings.ts"
import type { CursorPlace } from "../files/code-mirror/mount-editor.ts"
import { EditArea } from "../files/edit-area.tsx"
import { fileKey, languageOf } from "../files/file-key.ts"
import { editFile, useOpenFile } from "../files/open-files.ts"
import { useShownProblem } from "../files/shown-problem.ts"
import { LongText } from "../ui/shown-text.tsx"

interface Props {
  readonly name: FileName
  readonly label: string
  readonly completions?: CompletionSource | undefined
  readonly findMeaning?: FindMeaning | undefined
  readonly isReadOnly?: boolean
  readonly onCursor?: (place: CursorPlace) => void
  readonly startsAt?: () => CursorPlace | undefined
}

export function FileEditor(props: Props) {
  const { name, label, completions, findMeaning, isReadOnly = false, onCursor, startsAt } = props
  const { text, problems, state, failure } = useOpenFile(name)
  const editor = useRef<CodeEditorHandle>(null)
  const { actions, card } = useEditorTokens(name, problems, () => editor.current?.focus())
  useShownProblem(name, (problem) => editor.current?.goTo(problem), state !== "loading")
  if (state === "loading") return <div className="file-editor" aria-busy="true" />
  // Text in an editor could be edited and saved, so don't show one.
  if (state === "failed")
    return (
      <div className="file-editor">
        <p className="code-editor code-editor-failed-read">
          <LongText text={failure?.message ?? "The file can't be read."} />{" "}
          <LongText text={failure?.hint ?? ""} />
        </p>
      </div>
    )
  return (
    <EditArea name={name} className="file-editor">
      <CodeEditor
        key={fileKey(name)}
        ref={editor}
        language={languageOf(name)}
        text={text}
        problems={problems}
        label={label}
        completions={completions}
        findMeaning={findMeaning}
        onCursor={onCursor}
        startsAt={startsAt}
        placeholders={actions}
        onChange={isReadOnly ? undefined : (next, merge) => editFile(name, () => next, { merge })}
      />
      {card}
    </EditArea>
  )
}
