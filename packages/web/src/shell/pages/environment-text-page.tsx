// Edits a schema or value file as text. The table can't edit a file that doesn't parse.

import type { FileName } from "@callsheet/server/calls"
import { FileEditor } from "../../forms/file-editor.tsx"
import { useOpenFile } from "../../files/open-files.ts"
import { SaveBar } from "../../files/save-bar.tsx"
import { BenchHead } from "../../ui/bench-head.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { Missing } from "../../files/page-parts.tsx"

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
      <BenchHead
        parents={[
          <>
            Text of{" "}
            <RouteLink to={{ kind: "environments", api }}>
              the environments of <ShownText text={api} />
            </RouteLink>
          </>,
        ]}
        name={environment ?? "schema.json"}
      >
        {state === "failed" ? null : <SaveBar name={name} />}
      </BenchHead>
      {environment === undefined ? null : (
        <p className="section-words">
          Put secrets in the secrets file next to it, which is never shown as text.
        </p>
      )}
      {state === "failed" ? (
        <p role="alert" className="field-error">
          <LongText text={failure?.message ?? "The file could not be read."} />
        </p>
      ) : (
        <FileEditor name={name} label={visibleText(path)} />
      )}
    </div>
  )
}
