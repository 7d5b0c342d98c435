// How a request would authenticate in an environment, as the server says it.

import { isJsonObject, ownOf, parseJson, type JsonValue } from "@callsheet/format"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { AuthenticationView } from "@callsheet/server/calls"
import { create } from "zustand"
import { call } from "../../connection/call.ts"
import { useConnection } from "../../connection/connection.ts"
import { queryClient } from "../../connection/query-client.ts"
import { requestFileName } from "../request/request-files.ts"
import { setPlaces } from "./own-credentials.ts"

export interface AuthenticatedRequest {
  readonly api: string
  /** The operation, as a block or a saved request names it. Undefined if the document has none. */
  readonly operation: string | undefined
  readonly resource?: string | undefined
  readonly environment: string | undefined
  readonly params: JsonValue | undefined
  /** The parameters of the saved request that a block uses. */
  readonly savedParams?: JsonValue | undefined
}

/** The first word is "runs", because a run may log in. */
const key = ["runs", "authentication"]

/** Undefined while it isn't known, and without an environment or operation. */
export function useAuthentication(request: AuthenticatedRequest): AuthenticationView | undefined {
  const { api, operation = "", resource, environment = "", params, savedParams } = request
  const isOpen = useConnection(({ status }) => status === "open")
  const parameters = [...setPlaces(params), ...setPlaces(savedParams)]
  const isKnown = operation !== "" && environment !== ""
  const { data } = useQuery({
    queryKey: [...key, { api, operation, resource, environment, parameters }],
    queryFn: () =>
      call("operations.authentication", {
        api,
        operation,
        environment,
        parameters,
        ...(resource === undefined ? {} : { resource }),
      }),
    enabled: isOpen && isKnown,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => msToEnd(state.data),
  })
  return isKnown ? data : undefined
}

/** A longer time than a timer of a browser can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the time until the first login ends, so that the page shows that it has ended. */
function msToEnd(answer: AuthenticationView | undefined): number | false {
  const ends = (answer?.alternatives.flat() ?? []).flatMap(({ login }) =>
    login?.until === undefined ? [] : [new Date(login.until).getTime() - Date.now()],
  )
  return ends.length === 0 ? false : Math.min(MAX_TIMER_MS, Math.max(1000, Math.min(...ends)))
}

export const readAuthenticationAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key })

/** Returns the parameters of a saved request. Undefined while loading, and without one. */
export function useSavedParams(
  api: string | undefined,
  resource: string | undefined,
  request: string | undefined,
): JsonValue | undefined {
  const isOpen = useConnection(({ status }) => status === "open")
  const isNamed = api !== undefined && resource !== undefined && request !== undefined
  const { data } = useQuery({
    queryKey: ["saved params", api, resource, request],
    queryFn: async () => {
      const file = requestFileName(api ?? "", { resource: resource ?? "", request: request ?? "" })
      const parsed = parseJson((await call("files.read", { file })).text)
      return parsed.ok && isJsonObject(parsed.value) ? (ownOf(parsed.value, "params") ?? null) : null
    },
    enabled: isOpen && isNamed,
  })
  return isNamed ? (data ?? undefined) : undefined
}

/** Set while the user wants to set what is missing. The part of the page that is shown then opens its dialog. */
export const useAskedCredential = create<{ readonly isAsked: boolean }>(() => ({ isAsked: false }))
