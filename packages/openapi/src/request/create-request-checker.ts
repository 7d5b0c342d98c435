// Checks requests against a document's operations. Reads an operation's contract on first use.

import type { ContractProblem, Headers } from "@callsheet/format"
import { headerTexts, listProblems, MAX_PROBLEMS } from "../schema/validate/contract-problems.ts"
import { createJudge } from "../content/judge.ts"
import type { PlaceFinder } from "../document/place-finder.ts"
import { checkBody } from "./check-body.ts"
import { checkParameters } from "./check-parameters.ts"
import type { CheckedRequest, Complaint } from "./checked-request.ts"
import { operationContract } from "./operation-contract.ts"

/** Checks a request. Returns undefined if it has no problems. Returns a promise only if code must be loaded first. */
export type CheckRequest = (
  request: CheckedRequest,
) => RequestVerdict | undefined | Promise<RequestVerdict | undefined>

export function createRequestChecker(places: () => Promise<PlaceFinder>): CheckRequest {
  const run = createJudge("request")
  const verdictOn = (found: Found) =>
    found.complaints.length === 0 && found.unchecked === undefined
      ? undefined
      : places().then((placeOf) => createVerdict(found, placeOf))
  return (request) => {
    const contract = operationContract(request.operation)
    const found = run((judge): Found => {
      const check = { request, contract, judge }
      const complaints = checkParameters(check)
      const { problems, unchecked } = checkBody(check)
      return { complaints: problems.length === 0 ? complaints : [...complaints, ...problems], unchecked }
    })
    return found instanceof Promise ? found.then(verdictOn) : verdictOn(found)
  }
}

interface Found {
  readonly complaints: readonly Complaint[]
  readonly unchecked: string | undefined
}

interface RequestVerdict {
  /** Returns the problems. `sent` contains the headers on the wire. It is undefined if the request wasn't sent. */
  readonly problems: (sent: Headers | undefined) => readonly ContractProblem[]
  /** The reason why the body, or a part of it, wasn't checked against its schema. */
  readonly unchecked: string | undefined
}

async function createVerdict(
  { complaints, unchecked }: Found,
  placeOf: PlaceFinder,
): Promise<RequestVerdict> {
  const certain = complaints.filter(({ unlessSent }) => unlessSent === undefined)
  const listed = await listProblems(certain, placeOf)
  const open = complaints.filter(({ unlessSent }) => unlessSent !== undefined).slice(0, MAX_PROBLEMS)
  const openListed = await listProblems(open, placeOf)
  const isMissing = (sent: Headers, index: number) => !isSent(sent, open[index]?.unlessSent)
  return {
    unchecked,
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
