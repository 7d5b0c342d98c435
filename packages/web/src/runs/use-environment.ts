// The environment in which a workflow, or a request on its own page, sends the requests of an API.

import { chosenEnvironment, useDraft } from "./drafts.ts"
import { useRunForm, useSendForm } from "./use-run-queries.ts"

/** The key of the choice that all requests of an API share. No workflow can have this name. */
export const sendDraft = (api: string): string => `send ${api}`

/** `workflow` is undefined on a request's own page. Undefined while nothing is chosen. */
export function useEnvironment(api: string, workflow: string | undefined): string | undefined {
  const { data: run } = useRunForm(workflow ?? "")
  const { data: send } = useSendForm(api)
  const draft = useDraft(workflow ?? sendDraft(api))
  // The saved workflow may not use the API yet.
  const form = run?.apis.find((one) => one.api === api) ?? send
  return form === undefined ? undefined : chosenEnvironment(form, draft)
}
