// Checks requests against a document's operations. Reads an operation's contract on first use.

import type { ContractProblem, Headers } from "@callsheet/format"
import { headerTexts, listProblems, MAX_PROBLEMS } from "../schema/validate/contract-problems.ts"
import { createSchemaChecker } from "../schema/validate/schema-checker.ts"
import type { PlaceFinder } from "../document/place-finder.ts"
import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import type { CheckedRequest, Complaint } from "./checked-request.ts"
import { operationContract } from "./operation-contract.ts"

/** Checks a request. Returns undefined if it has no problems. */
export type CheckRequest = (request: CheckedRequest) => Promise<RequestVerdict | undefined>

export function createRequestChecker(places: () => Promise<PlaceFinder>): CheckRequest {
  const checkSchema = createSchemaChecker("request")
  return async (request) => {
    const check = { request, contract: operationContract(request.operation), checkSchema }
    const { problems, unchecked } = await checkBody(check)
    const complaints = [...checkParameters(check), ...problems]
    if (complaints.length === 0 && unchecked === undefined) return undefined
    return { ...(await createVerdict(complaints, await places())), unchecked }
  }
}

interface RequestVerdict {
  /** Returns the problems. `sent` contains the headers on the wire. It is undefined if the request wasn't sent. */
  readonly problems: (sent: Headers | undefined) => readonly ContractProblem[]
  /** The reason why the body, or a part of it, wasn't checked against its schema. */
  readonly unchecked: string | undefined
}

async function createVerdict(complaints: readonly Complaint[], placeOf: PlaceFinder) {
  const certain = complaints.filter(({ unlessSent }) => unlessSent === undefined)
  const listed = await listProblems(certain, placeOf)
  const open = complaints.filter(({ unlessSent }) => unlessSent !== undefined).slice(0, MAX_PROBLEMS)
  const openListed = await listProblems(open, placeOf)
  const isMissing = (sent: Headers, index: number) => !isSent(sent, open[index]?.unlessSent)
  return {
    problems: (sent: Headers | undefined) => [
      ...(sent === undefined ? [] : openListed.filter((_, index) => isMissing(sent, index))),
      ...listed,
    ],
  }
}

function isSent(sent: Headers, unlessSent: Complaint["unlessSent"]): boolean {
  if (unlessSent === undefined) return false
  const { in: place, name } = unlessSent
  if (place === "header") return headerTexts(sent, name).length > 0
  return headerTexts(sent, "cookie").some((text) =>
    text.split(";").some((pair) => pair.replace(/=.*/s, "").trim() === name),
  )
}
