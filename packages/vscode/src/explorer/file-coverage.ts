// Coverage of operations as test coverage of the document: a statement per operation, a branch per documented status.

import * as vscode from "vscode"
import type { Project } from "../projects.ts"
import type { OperationLine } from "../tests/document-coverage.ts"

const details = new WeakMap<vscode.FileCoverage, vscode.StatementCoverage[]>()

export const detailsOf = (file: vscode.FileCoverage): vscode.StatementCoverage[] => details.get(file) ?? []

export function coverageOf(
  project: Project,
  files: ReadonlyMap<string, readonly OperationLine[]>,
): readonly vscode.FileCoverage[] {
  return [...files].map(([file, operations]) => {
    const own = operations.map(statementOf)
    const coverage = vscode.FileCoverage.fromDetails(vscode.Uri.joinPath(project.uri, file), own)
    details.set(coverage, own)
    return coverage
  })
}

function statementOf({ line, count, answers }: OperationLine): vscode.StatementCoverage {
  const at = new vscode.Position(line - 1, 0)
  const branches = answers.map(
    ({ status, count: times }) => new vscode.BranchCoverage(times, at, `response ${status}`),
  )
  return new vscode.StatementCoverage(count, at, branches)
}
