// The two halves of a change of the schema: what it comes to, and doing it.

import type { SchemaChange, SchemaPlan } from "../../api.ts"
import { call } from "../connection/call.ts"

export const planChange = (api: string, change: SchemaChange): Promise<SchemaPlan> =>
  call("schemas.plan" as never, { api, change } as never)

export const applyPlan = (plan: string): Promise<unknown> => call("schemas.apply" as never, { plan } as never)
