// Where the page goes after an import: to a request that is ready to send.

import type { ImportPlan } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { projectQuery } from "../data/queries.ts"
import { queryClient } from "../data/query-client.ts"
import type { Route } from "../routes/route.ts"

/** Prefers a request that needs no values. Returns the environments if the base URL is missing. */
export async function firstRoute({ api, saved, unset }: ImportPlan): Promise<Route> {
  const { apis } = await queryClient.fetchQuery(projectQuery)
  if (unset.includes(`${api}.baseUrl`)) return { kind: "environments", api }
  const requests = saved === 0 ? [] : (apis.find(({ name }) => name === api)?.requests ?? [])
  const request = requests.find(({ target = "" }) => /^GET [^{]*$/.test(target)) ?? requests[0]
  if (request !== undefined)
    return { kind: "request", api, resource: request.resource, request: request.name }
  const { operations } = await call("operations.list", { api })
  const simple = operations.find(({ method, path }) => method === "GET" && !path.includes("{"))
  const operation = simple ?? operations[0]
  if (operation === undefined) return { kind: "api", api }
  return { kind: "operation", api, method: operation.method, path: operation.path }
}
