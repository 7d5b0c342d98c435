// The files that an import writes, and the question before it replaces some.

import type { ImportPreview } from "@callsheet/server/calls"
import { NameList } from "../../files/preview.tsx"
import { count } from "../../ui/formats.ts"
import { CheckField } from "../../ui/form-fields.tsx"

interface Props {
  readonly plan: ImportPreview
  /** True if the user agreed to overwrite files. */
  readonly mayReplace: boolean
  readonly onReplace: (mayReplace: boolean) => void
}

export function ImportFiles({ plan, mayReplace, onReplace }: Props) {
  const { replaced, files } = plan
  return (
    <>
      {replaced.length === 0 ? null : (
        <section className="field-group" aria-label="Files to replace">
          <p className="field-error">
            {count(replaced.length, "file already exists", "files already exist")} with other content:
          </p>
          <NameList label="Files that exist" names={replaced} />
          <CheckField
            label={`Replace ${replaced.length === 1 ? "this file" : `these ${count(replaced.length, "file")}`}`}
            note="Their current content is lost unless it is committed."
            isOn={mayReplace}
            onChange={onReplace}
          />
        </section>
      )}
      {files.length === 0 ? (
        <p>The project already has these files. Nothing changes.</p>
      ) : (
        <details className="plan-file plan-group" open={files.length <= 12}>
          <summary>{count(files.length, "file")} will be written</summary>
          <NameList label="Files" names={files} />
        </details>
      )}
    </>
  )
}
