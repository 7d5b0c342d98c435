// The options of the command that runs what the page would run.

import { shellWord } from "../ui/shell-word.ts"
import { useDraft } from "./drafts.ts"
import { orderOf } from "./order-of.ts"
import { useRunForm } from "./use-run-queries.ts"

/** Such as ` --env shop=local --input sku=TEA-01`. Leaves out names that aren't safe in every terminal. */
export function useRunOptions(workflow: string): string {
  const { data: form } = useRunForm(workflow)
  const draft = useDraft(workflow)
  if (form === undefined) return ""
  const { environments, inputs } = orderOf(form, draft).order
  const options = [
    ...Object.entries(environments).map((choice) => ["--env", choice] as const),
    ...Object.entries(inputs).map((input) => ["--input", input] as const),
  ]
  return options
    .map(([option, [name, value]]) => [option, shellWord(`${name}=${value}`)])
    .flatMap(([option, word]) => (word === undefined ? [] : [` ${option} ${word}`]))
    .join("")
}
