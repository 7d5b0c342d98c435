// Checks requests against a document's operations. Reads an operation's contract on first use.

import type { ContractProblem, Headers } from "@callsheet/format"
import { headerTexts, listProblems, MAX_PROBLEMS } from "../schema/validate/contract-problems.ts"
import type { PlaceFinder } from "../document/place-finder.ts"
import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import type { CheckedRequest, Complaint, Judge } from "./checked-request.ts"
import { operationContract } from "./operation-contract.ts"

/** Checks a request. Returns undefined if it has no problems. Returns a promise only if code must be loaded first. */
export type CheckRequest = (
  request: CheckedRequest,
) => RequestVerdict | undefined | Promise<RequestVerdict | undefined>

export function createRequestChecker(places: () => Promise<PlaceFinder>): CheckRequest {
  let judge: Judge | undefined
  const load = async (): Promise<Judge> => {
    const { createSchemaChecker } = await import("../schema/validate/schema-checker.ts")
    return (judge ??= createSchemaChecker("request").check)
  }
  const verdictOn = (found: readonly Complaint[]) =>
    found.length === 0 ? undefined : places().then((placeOf) => createVerdict(found, placeOf))
  return (request) => {
    const contract = operationContract(request.operation)
    const checkBy = (by: Judge) => {
      const check = { request, contract, judge: by }
      return [...checkParameters(check), ...checkBody(check)]
    }
    if (judge !== undefined) return verdictOn(checkBy(judge))
    let isNeeded = false
    const found = checkBy(() => {
      isNeeded = true
      return []
    })
    return isNeeded ? load().then((loaded) => verdictOn(checkBy(loaded))) : verdictOn(found)
  }
}

interface RequestVerdict {
  /** Returns the problems. `sent` contains the headers on the wire. It is undefined if the request wasn't sent. */
  readonly problems: (sent: Headers | undefined) => readonly ContractProblem[]
}

async function createVerdict(
  complaints: readonly Complaint[],
  placeOf: PlaceFinder,
): Promise<RequestVerdict> {
  const certain = complaints.filter(({ unlessSent }) => unlessSent === undefined)
  const listed = await listProblems(certain, placeOf)
  const open = complaints.filter(({ unlessSent }) => unlessSent !== undefined).slice(0, MAX_PROBLEMS)
  const openListed = await listProblems(open, placeOf)
  const isMissing = (sent: Headers, index: number) => !isSent(sent, open[index]?.unlessSent)
  return {
    problems: (sent) => [
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
