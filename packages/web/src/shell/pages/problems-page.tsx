// All problems by file, errors first, in the order of `callsheet validate`.

import { useState } from "react"
import type { Problem } from "@callsheet/format"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ProblemList } from "../../files/problem-list.tsx"
import { LongText } from "../../ui/shown-text.tsx"
import { count } from "../../ui/formats.ts"
import { useProblems } from "../../connection/queries.ts"
import { RepairButton } from "./repair-button.tsx"
import { ViewHead } from "../../files/page-parts.tsx"

/** The number of problems to show first. A button shows the rest. */
const firstProblems = 500

export function ProblemsPage() {
  const { data, isError } = useProblems()
  return (
    <div className="view">
      <ViewHead what="callsheet validate" name="Problems" description={summary(data?.problems, isError)} />
      {data === undefined || data.problems.length > 0 ? null : (
        <EmptyState title="No problems">
          <p>
            All files are valid. They are checked again after every change. In a terminal,{" "}
            <code>callsheet validate</code> reports the same problems.
          </p>
        </EmptyState>
      )}
      {(data?.problems.length ?? 0) === 0 ? null : (
        <p className="section-actions">
          <RepairButton words="Repair…" />
        </p>
      )}
      <ByFile problems={data?.problems ?? []} />
    </div>
  )
}

function ByFile({ problems }: { readonly problems: readonly Problem[] }) {
  const [shown, setShown] = useState(firstProblems)
  const left = problems.length - shown
  return (
    <>
      {[...groups(problems.slice(0, shown))].map(([file, list]) => (
        <section key={file} className="file-problems" aria-label={file === "" ? "Project" : file}>
          <h2 className="file-heading">{file === "" ? "Project" : <LongText text={file} />}</h2>
          <ProblemList problems={list} />
        </section>
      ))}
      {left <= 0 ? null : (
        <button type="button" className="button" onClick={() => setShown(shown + firstProblems)}>
          Show more: {count(left, "problem")} left
        </button>
      )}
    </>
  )
}

function groups(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const byFile = new Map<string, Problem[]>()
  for (const problem of problems) {
    const list = byFile.get(problem.file ?? "")
    if (list === undefined) byFile.set(problem.file ?? "", [problem])
    else list.push(problem)
  }
  return byFile
}

function summary(problems: readonly Problem[] | undefined, isError: boolean): string {
  if (isError) return "The files could not be checked."
  if (problems === undefined) return "Checking all files…"
  const errors = problems.filter(({ severity }) => severity === "error").length
  const files = new Set(problems.map(({ file }) => file)).size
  if (problems.length === 0) return "All files were checked."
  return `${count(errors, "error")} and ${count(problems.length - errors, "warning")} in ${count(files, "file")}`
}
