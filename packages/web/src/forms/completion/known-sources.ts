// The sources of completion: documents, environments and the last run. Read when they are needed, and then kept.

import { ownOf, type BlockReport, type JsonObject, type RunReport } from "@callsheet/format"
import { reportsOf, type KnownVariable } from "@callsheet/language"
import type { OperationDetail } from "@callsheet/server/calls"
import { useQuery } from "@tanstack/react-query"
import { call } from "../../connection/call.ts"
import { environmentsQuery, latestRunsQuery, projectQuery, reportQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { useRuns } from "../../connection/run-store.ts"
import { useConnection } from "../../connection/connection.ts"
import { plainDescription } from "../../ui/plain-description.ts"

const nothing = (): undefined => undefined

const operationQuery = (api: string, operation: string, resource: string | undefined) => ({
  queryKey: ["operation", api, operation, resource ?? ""],
  queryFn: () => call("operations.read", { api, operation, ...(resource === undefined ? {} : { resource }) }),
})

/** Reads an operation. Returns undefined if it doesn't exist or its document can't be read. */
export function readOperation(
  api: string,
  operation: string,
  resource: string | undefined,
): Promise<OperationDetail | undefined> {
  return queryClient.fetchQuery(operationQuery(api, operation, resource)).catch(nothing)
}

/** Returns the operation that a request block sends, directly or through a saved request. */
export async function operationOfBlock(block: JsonObject): Promise<OperationDetail | undefined> {
  const request = block["request"] as JsonObject | undefined
  const [api, resource, operation, instance] = ["api", "resource", "operation", "instance"].map((field) => {
    const text = ownOf(request, field)
    return typeof text === "string" && text !== "" && !text.includes("{{") ? text : undefined
  })
  if (api === undefined) return undefined
  if (operation !== undefined) return readOperation(api, operation, resource)
  if (instance === undefined) return undefined
  const target = await targetOfInstance(api, resource, instance)
  return target === undefined ? undefined : readOperation(api, target, undefined)
}

/** Returns the operation of a saved request, or its method and path. */
async function targetOfInstance(
  api: string,
  resource: string | undefined,
  instance: string,
): Promise<string | undefined> {
  const project = await queryClient.fetchQuery(projectQuery).catch(nothing)
  return project?.apis
    .find(({ name }) => name === api)
    ?.requests.find((one) => one.name === instance && (resource === undefined || one.resource === resource))
    ?.target
}

/** Reads the names of variables, but never their values. */
export async function readVariables(api: string): Promise<readonly KnownVariable[]> {
  const view = await queryClient.fetchQuery(environmentsQuery(api)).catch(nothing)
  return (view?.variables ?? []).map(({ name, type, secret, description }) => ({
    name,
    type,
    isSecret: secret,
    description: plainDescription(description ?? ""),
  }))
}

/** Returns the results of a block in the run that is open or, without one, in the last run. */
export async function seenOf(workflow: string, id: string): Promise<readonly BlockReport[]> {
  return reportsOf(await shownRun(workflow), id)
}

/** Returns the run of the workflow that is open or, without one, the last run. */
export async function shownRun(workflow: string): Promise<RunReport | undefined> {
  const watched = Object.values(useRuns.getState()).find(({ report }) => report?.run?.workflow === workflow)
  return watched?.report?.run ?? (await lastRun(workflow))
}

async function lastRun(workflow: string): Promise<RunReport | undefined> {
  const latest = await queryClient.fetchQuery(latestRunsQuery).catch(nothing)
  const name = latest?.runs.find((run) => run.workflow === workflow)?.run
  if (name === undefined) return undefined
  return queryClient.fetchQuery({ ...reportQuery(name), gcTime: 60_000 }).catch(nothing)
}

interface OperationReading {
  /** Undefined while loading, and for an unknown operation, such as one with a placeholder. */
  readonly detail: OperationDetail | undefined
  readonly isReading: boolean
}

export function useOperationReading(
  api: string | undefined,
  operation: string | undefined,
  resource?: string,
): OperationReading {
  const isOpen = useConnection(({ status }) => status === "open")
  const isNamed =
    api !== undefined &&
    operation !== undefined &&
    operation !== "" &&
    !`${operation}${resource ?? ""}`.includes("{{")
  const { data, isPending } = useQuery({
    ...operationQuery(api ?? "", operation ?? "", resource),
    enabled: isOpen && isNamed,
  })
  return { detail: isNamed ? data : undefined, isReading: isNamed && isOpen && isPending }
}

export const useOperation = (...named: Parameters<typeof useOperationReading>): OperationDetail | undefined =>
  useOperationReading(...named).detail
