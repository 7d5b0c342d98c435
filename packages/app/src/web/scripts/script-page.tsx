// One script of a workflow, to be edited.

import type { FileName as File } from "../../api.ts"
import { FileEditor } from "../editing/file-editor.tsx"
import { useOpenFile } from "../editing/open-files.ts"
import { SaveBar } from "../editing/save-bar.tsx"
import { PlaceLink } from "../places/place-link.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import { ViewHead } from "../views/view-head.tsx"
import { Missing } from "../views/missing.tsx"

interface Props {
  readonly workflow: string
  readonly script: string
}

export function ScriptPage({ workflow, script }: Props) {
  const name: File = { kind: "script", workflow, script }
  const { state } = useOpenFile(name)
  if (state === "missing") return <Missing what="script" name={script} />
  return (
    <div className="view view-editor">
      <ViewHead
        what={
          <>
            Script of{" "}
            <PlaceLink to={{ kind: "workflow", workflow }}>
              <ShownText text={workflow} />
            </PlaceLink>
          </>
        }
        name={`${script}.ts`}
        isCode
      />
      <SaveBar name={name} />
      <FileEditor name={name} label={`Text of ${visibleText(script)}.ts`} />
    </div>
  )
}
