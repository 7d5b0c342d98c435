// Adds the API that receives callbacks and webhooks, as `callsheet init --inbox` does.

import { INBOX } from "@callsheet/format"
import { call } from "../../connection/call.ts"
import { queryClient } from "../../connection/query-client.ts"
import { goTo } from "../../routes/use-route.ts"

/** Adds it, and shows it. */
export async function addInbox(): Promise<void> {
  await call("imports.inbox", {})
  await queryClient.invalidateQueries({ queryKey: ["project"] })
  goTo({ kind: "api", api: INBOX })
}
