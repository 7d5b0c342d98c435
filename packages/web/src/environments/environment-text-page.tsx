// Edits a schema or value file as text. The table can't edit a file that doesn't parse.

import type { FileName } from "@callsheet/server/calls"
import { FileEditor } from "../files/file-editor.tsx"
import { useOpenFile } from "../files/open-files.ts"
import { SaveBar } from "../files/save-bar.tsx"
import { RouteLink } from "../routes/route-link.tsx"
import { ShownText, LongText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { ViewHead, Missing } from "../shell/pages/page-parts.tsx"

interface Props {
  readonly api: string
  /** Absent for the schema. */
  readonly environment: string | undefined
}

export function EnvironmentTextPage({ api, environment }: Props) {
  const name: FileName =
    environment === undefined ? { kind: "schema", api } : { kind: "environment", api, environment }
  const { state, path, failure } = useOpenFile(name)
  if (state === "missing")
    return environment === undefined ? (
      <Missing what="schema of" name={api} />
    ) : (
      <Missing what="environment" name={environment} />
    )
  return (
    <div className="view view-editor">
      <ViewHead
        what={
          <>
            Text of{" "}
            <RouteLink to={{ kind: "environments", api }}>
              the environments of <ShownText text={api} />
            </RouteLink>
          </>
        }
        name={environment ?? "schema.json"}
        description={
          environment === undefined
            ? undefined
            : "Put secrets in the secrets file next to it, which is never shown as text."
        }
      />
      {state === "failed" ? (
        <p role="alert" className="field-error">
          <LongText text={failure?.message ?? "The file could not be read."} />
        </p>
      ) : (
        <>
          <SaveBar name={name} />
          <FileEditor name={name} label={visibleText(path)} />
        </>
      )}
    </div>
  )
}
