// The text of `callsheet.baseline.json`: the known violations.

import { BASELINE_FILE } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { FileEditor } from "../../forms/file-editor.tsx"
import { useOpenFile } from "../../files/open-files.ts"
import { SaveBar } from "../../files/save-bar.tsx"
import { BenchHead } from "../../ui/bench-head.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"

const file: FileName = { kind: "baseline" }

export function BaselinePage() {
  const { state } = useOpenFile(file)
  return (
    <div className="view view-editor">
      <BenchHead parents={["Known violations"]} name={BASELINE_FILE}>
        {state === "missing" ? null : <SaveBar name={file} />}
      </BenchHead>
      {state === "missing" ? (
        <EmptyState title="The project has no baseline">
          <p>
            A baseline lists known violations of contracts, so that only new ones fail a run. To create it,
            run <code>callsheet run --all --update-baseline</code> with your environment.
          </p>
        </EmptyState>
      ) : (
        <FileEditor name={file} label={`Text of ${BASELINE_FILE}`} />
      )}
    </div>
  )
}
