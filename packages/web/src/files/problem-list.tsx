// A list of problems: message, hint and position.

import { fileAt } from "@callsheet/server/calls"
import type { Problem } from "@callsheet/format"
import type { ReactNode } from "react"
import { showProblem } from "./shown-problem.ts"
import { CopyButton } from "../ui/copy-button.tsx"
import { hashOf, routeOfFile } from "../routes/route.ts"
import { ShownText, LongText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { showPart } from "../routes/workflow-part.ts"
import { SeverityMark } from "../ui/badges.tsx"

interface ListProps {
  readonly problems: readonly Problem[]
  /** Set if the problems are in several files. */
  readonly showsFiles?: boolean
}

export function ProblemList({ problems, showsFiles = false }: ListProps) {
  return (
    <ul className="problems">
      {problems.map((problem, index) => (
        <ProblemItem
          key={`${positionOf(problem) ?? ""} ${problem.code} ${index}`}
          problem={problem}
          showsFile={showsFiles}
        />
      ))}
    </ul>
  )
}

function ProblemItem({ problem, showsFile }: { readonly problem: Problem; readonly showsFile: boolean }) {
  const { severity, message, code, hint, file, line, column } = problem
  const position = positionOf(problem)
  return (
    <li className={`problem problem-${severity}`}>
      <SeverityMark severity={severity} />
      <div className="problem-words">
        {showsFile && file !== undefined ? (
          <p className="problem-file">
            <ShownText text={file} />
          </p>
        ) : null}
        <p className="problem-message">
          <ProblemLink problem={problem}>
            <LongText text={message} />
          </ProblemLink>{" "}
          <code className="problem-code">{visibleText(code)}</code>
        </p>
        {hint === undefined ? null : (
          <p className="problem-hint">
            <LongText text={hint} />
          </p>
        )}
      </div>
      {position === undefined ? null : (
        <span className="problem-place">
          {line === undefined ? null : (
            <span className="problem-line">
              {line}:{column ?? 1}
            </span>
          )}
          <CopyButton text={position} what={visibleText(position)} />
        </span>
      )}
    </li>
  )
}

/** Opens the block and field, the cell of an environment, or the position in the text. */
export function ProblemLink({
  problem,
  children,
}: {
  readonly problem: Problem
  readonly children: ReactNode
}) {
  const file = problem.file === undefined ? undefined : fileAt(problem.file)
  if (file === undefined) return children
  return (
    <a
      href={hashOf(routeOfFile(file, problem.line !== undefined && problem.code !== "variable-missing"))}
      className="link problem-link"
      onClick={() => {
        if (file.kind === "workflow") showPart(file.workflow, "editor")
        showProblem(file, problem)
      }}
    >
      {children}
    </a>
  )
}

/** Formats `file:line:column`, which editors accept. */
function positionOf({ file, line, column }: Problem): string | undefined {
  if (file === undefined) return undefined
  return line === undefined ? file : `${file}:${line}:${column ?? 1}`
}
