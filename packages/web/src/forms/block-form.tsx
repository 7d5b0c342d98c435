// The form of a block: the fields of its kind, and the id and description that every block has.

import { useMemo } from "react"
import { childFields, isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { useProject } from "../connection/use-project.ts"
import { useOpenFile } from "../files/open-files.ts"
import { apiOfBlock, type Reading } from "./completion/roots.ts"
import { ReadingContext } from "./completion/use-suggest.ts"
import type { LocatedProblem } from "./field-problems.ts"
import { FormProvider, useOwnProblems } from "./form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import { kindViewOf } from "./kinds/index.ts"

interface Props {
  readonly file: FileName & { readonly kind: "workflow" }
  readonly pointer: JsonPointer
  /** The block as written in the file. It may be invalid. */
  readonly block: JsonValue
  /** The problems of this block. Pointers are relative to the block. */
  readonly problems: readonly LocatedProblem[]
}

const skips: readonly string[] = [...childFields, "id", "type", "description"]

/** Edits a block of the open file. Each edit is one undo step. */
export function BlockForm({ file, pointer, block, problems }: Props) {
  const { text, value } = useOpenFile(file)
  const { data: project } = useProject()
  const place = JSON.stringify(pointer)
  const reading = useMemo(
    (): Reading => ({
      workflow: value === undefined ? undefined : { name: file.workflow, value },
      pointer,
      api: apiOfBlock(block),
      apis: project?.apis.map(({ name }) => name) ?? [],
    }),
    [value, file.workflow, place, block, project],
  )
  if (!isJsonObject(block)) return <p className="form-fault">This block is not an object. Edit it as JSON.</p>
  const Form = kindViewOf(block["type"])?.Form
  return (
    <ReadingContext value={reading}>
      <FormProvider
        // Another block at the same pointer needs a new form.
        key={`${place} ${JSON.stringify(block["id"] ?? null)}`}
        file={file}
        base={pointer}
        text={text}
        problems={problems}
        skips={skips}
      >
        <div className="block-form">
          <OwnProblems />
          {Form === undefined ? <p className="form-fault">Unknown block type.</p> : <Form block={block} />}
        </div>
      </FormProvider>
    </ReadingContext>
  )
}

function OwnProblems() {
  return <FieldProblems problems={useOwnProblems()} />
}
