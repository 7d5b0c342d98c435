// A row of the corpus: a mistake that a user makes in a valid project, and the expected report.

export type ProjectName = "shop" | "booking" | "billing"

export type Edit =
  | { readonly find: string; readonly replace: string }
  | { readonly write: string }
  | { readonly remove: true }
  | { readonly rename: string }

export interface Expected {
  /** Any of these codes. The default is those of the kind. */
  readonly codes?: readonly string[]
  readonly severity?: "error" | "warning"
  /** The file at fault. The default is the edited one. */
  readonly file?: string
  /**
   * Text of the line where the problem must be reported, unique in the file, or any of several. The default is the
   * edited line.
   */
  readonly at?: string | readonly string[]
  /** The lines between the first text and the second, including the line before the first. */
  readonly within?: readonly [string, string]
  /** The problem is about the whole file, or about another file that is missing. */
  readonly anywhere?: true
  /** Each must be in the message or the hint. */
  readonly words?: readonly string[]
}

export interface Mistake {
  readonly id: string
  readonly kind: string
  readonly project: ProjectName
  readonly file: string
  readonly edit: Edit
  readonly expected: Expected
  /** Further edits that are part of the mistake, in other files or positions. */
  readonly more?: readonly { readonly file: string; readonly edit: Edit }[]
}

const workflowFile = (name: string): string => `apis/workflow/${name}.json`

/** Rows of one project. Most replace one text of a workflow by another. */
export function mistakesIn(project: ProjectName) {
  const inFile =
    (file: string) =>
    (
      kind: string,
      id: string,
      [find, replace]: readonly [string, string],
      expected: Expected = {},
    ): Mistake => ({
      id,
      kind,
      project,
      file,
      edit: { find, replace },
      expected,
    })
  return { inFile, inWorkflow: (name: string) => inFile(workflowFile(name)) }
}
