// What a run shows of a request's complaints: all but those of what was sent after all.

import type { ContractProblem, Headers } from "@callsheet/format"
import { headerTexts } from "../document/headers.ts"
import type { PlaceFinder } from "../document/place-finder.ts"
import { listProblems, MAX_PROBLEMS } from "../schema/validate/list-problems.ts"
import type { Complaint } from "./checked-request.ts"

export interface RequestVerdict {
  /**
   * The problems of the request, given its headers as they went out, with all that was added on the way. Undefined: it
   * never went out, so that nobody knows what would have been added.
   */
  readonly problems: (sent: Headers | undefined) => readonly ContractProblem[]
}

export async function createVerdict(
  complaints: readonly Complaint[],
  placeOf: PlaceFinder,
): Promise<RequestVerdict> {
  const certain = complaints.filter(({ unlessSent }) => unlessSent === undefined)
  const listed = await listProblems(certain, placeOf)
  const open = complaints.filter(({ unlessSent }) => unlessSent !== undefined).slice(0, MAX_PROBLEMS)
  const openListed = await listProblems(open, placeOf)
  return {
    problems: (sent) => [
      ...openListed.filter((_, index) => sent !== undefined && !isSent(sent, open[index]!)),
      ...listed,
    ],
  }
}

function isSent(sent: Headers, { unlessSent }: Complaint): boolean {
  if (unlessSent === undefined) return false
  const { in: place, name } = unlessSent
  if (place === "header") return headerTexts(sent, name).length > 0
  return headerTexts(sent, "cookie").some((text) =>
    text.split(";").some((pair) => pair.split("=", 1)[0]!.trim() === name),
  )
}
