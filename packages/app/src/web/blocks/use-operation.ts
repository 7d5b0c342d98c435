// What the document says of an operation that a form is about.

import { useQuery } from "@tanstack/react-query"
import type { OperationDetail } from "../../api.ts"
import { useConnection } from "../connection/connection.ts"
import { operationQuery } from "./completion/known-sources.ts"

/** Undefined while it is read, and where there is none; a token names none before a run. */
export function useOperation(
  api: string | undefined,
  operation: string | undefined,
  resource?: string,
): OperationDetail | undefined {
  const isOpen = useConnection(({ status }) => status === "open")
  const isNamed =
    api !== undefined &&
    operation !== undefined &&
    operation !== "" &&
    !`${operation}${resource ?? ""}`.includes("{{")
  const { data } = useQuery({
    ...operationQuery(api ?? "", operation ?? "", resource),
    enabled: isOpen && isNamed,
  })
  return isNamed ? data : undefined
}
