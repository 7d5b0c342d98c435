// What a row of the corpus is: a mistake that a person makes in a sound project, and what must be said of it.

export type ProjectName = "shop" | "booking" | "billing"

export type Edit =
  | { readonly find: string; readonly replace: string }
  | { readonly write: string }
  | { readonly remove: true }
  | { readonly rename: string }

export interface Expected {
  /** Any of these codes; without them, those of the kind. */
  readonly codes?: readonly string[]
  readonly severity?: "error" | "warning"
  /** The file that is at fault; without it the one that was edited. */
  readonly file?: string
  /** Text of the line where the problem must be said to be, once in the file; several: any of them. Without it, the line edited. */
  readonly at?: string | readonly string[]
  /** Any line from the one before that which holds the first text to the next one that holds the second. */
  readonly within?: readonly [string, string]
  /** The problem is about the file as a whole, or about another file that is not there. */
  readonly anywhere?: true
  /** Each must stand in the message or the hint. */
  readonly words?: readonly string[]
}

export interface Mistake {
  readonly id: string
  readonly kind: string
  readonly project: ProjectName
  readonly file: string
  readonly edit: Edit
  readonly expected: Expected
  /** Further edits that the mistake takes, in other files or places. */
  readonly more?: readonly { readonly file: string; readonly edit: Edit }[]
}

const workflowFile = (name: string): string => `apis/workflow/${name}.json`

/** Rows of one project, most of which replace one text of a workflow by another. */
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
