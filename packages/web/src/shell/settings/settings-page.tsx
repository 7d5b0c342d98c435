// The text of `callsheet.json`. Offers to create the file if it doesn't exist.

import type { CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete"
import { useMemo, useRef } from "react"
import { PROJECT_FILE } from "@callsheet/format"
import type { FileName, ProjectView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { FileEditor } from "../../forms/file-editor.tsx"
import { reloadFile, useOpenFile } from "../../files/open-files.ts"
import { SaveBar } from "../../files/save-bar.tsx"
import { BenchHead } from "../../ui/bench-head.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { LongText } from "../../ui/shown-text.tsx"

const file: FileName = { kind: "project" }

export function SettingsPage({ project }: { readonly project: ProjectView }) {
  const { state } = useOpenFile(file)
  const completions = useCompletions(project)
  return (
    <div className="view view-editor">
      <BenchHead parents={["Defaults and suites"]} name={PROJECT_FILE}>
        {state === "missing" ? null : <SaveBar name={file} />}
      </BenchHead>
      {state === "missing" ? (
        <NoSettings />
      ) : (
        <FileEditor name={file} label={`Text of ${PROJECT_FILE}`} completions={completions} />
      )}
    </div>
  )
}

function NoSettings() {
  const { run, fault, isBusy } = useSubmit()
  const create = async (): Promise<void> => {
    const text = `${JSON.stringify({ version: 1, suites: {} }, null, 2)}\n`
    await call("files.save", { file, etag: null, text })
    await reloadFile(file)
  }
  return (
    <EmptyState title={`The project has no ${PROJECT_FILE}`}>
      <p>
        It contains defaults for the options of <code>callsheet run</code>, and suites: workflows that run
        together, with setup and cleanup.
      </p>
      <p>
        <button type="button" className="button button-main" disabled={isBusy} onClick={() => run(create)}>
          Create {PROJECT_FILE}
        </button>
      </p>
      {fault === undefined ? null : (
        <p role="alert" className="field-error">
          <LongText text={fault.message} />
        </p>
      )}
    </EmptyState>
  )
}

/** Loads its code together with the editor's. Offers the names of the latest project. */
function useCompletions(project: ProjectView): CompletionSource {
  const latest = useRef(project)
  latest.current = project
  return useMemo(
    () =>
      async (context: CompletionContext): Promise<CompletionResult | null> => {
        const { completeSettings } = await import("./complete-settings.ts")
        return completeSettings(context, latest.current)
      },
    [],
  )
}
