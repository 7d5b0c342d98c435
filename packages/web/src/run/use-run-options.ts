// The options of the command that runs what the page would run.

import { shellWord } from "../text/shell-word.ts"
import { useDraft } from "./drafts.ts"
import { chosenEnvironment } from "./order-of.ts"
import { useRunForm } from "./use-run-queries.ts"

/** Such as ` --env shop=local --input sku=TEA-01`. Leaves out names that aren't safe in every terminal. */
export function useRunOptions(workflow: string): string {
  const { data: form } = useRunForm(workflow)
  const draft = useDraft(workflow)
  if (form === undefined) return ""
  const environments = form.apis.flatMap((api) => {
    const chosen = chosenEnvironment(api, draft)
    return chosen === undefined ? [] : [`--env ${shellWord(`${api.api}=${chosen}`) ?? ""}`]
  })
  const inputs = form.inputs.flatMap(({ name }) => {
    const text = draft.inputs.get(name) ?? ""
    return text === "" ? [] : [`--input ${shellWord(`${name}=${text}`) ?? ""}`]
  })
  return [...environments, ...inputs]
    .filter((option) => !option.endsWith(" "))
    .map((option) => ` ${option}`)
    .join("")
}
