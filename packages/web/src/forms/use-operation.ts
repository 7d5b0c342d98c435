// Reads the documentation of the operation that a form edits.

import { useQuery } from "@tanstack/react-query"
import type { OperationDetail } from "@callsheet/server/calls"
import { useConnection } from "../connection/connection.ts"
import { operationQuery } from "./completion/known-sources.ts"

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
