// What the page hears of an error: of misuse its own words, of a bug that there was one, and no place outside of the project.

import { homedir, tmpdir } from "node:os"
import { CallsheetError } from "@callsheet/format"
import type { CallFailure } from "../calls/index.ts"
import { CallRefused, type RefusalDetails } from "../handlers.ts"

/** What every bug is told as. */
export const bugFailure: CallFailure = {
  code: "internal",
  message: "a bug in callsheet: please report it, with what the terminal says",
}

/** `root` is the project's folder. */
export function describeFailure(error: CallsheetError, root: string): CallFailure {
  const { code, message, hint } = error
  const shown = (text: string) => withoutPlaces(text, root)
  return {
    code,
    message: shown(message),
    hint: hint && shown(hint),
    ...(error instanceof CallRefused ? describeDetails(error.details, shown) : {}),
  }
}

function describeDetails(
  { problems, ...rest }: RefusalDetails,
  shown: (text: string) => string,
): RefusalDetails {
  if (problems === undefined) return rest
  return { ...rest, problems: problems.map((problem) => ({ ...problem, message: shown(problem.message) })) }
}

/**
 * Paths of the project become relative; those of the user's and the system's folders that messages name go. Not all that
 * looks like a path is one: `/orders/{id}` is the path of an operation.
 */
export function withoutPlaces(text: string, root: string): string {
  const relative = text.replaceAll(`${root}/`, "").replaceAll(`${root}\\`, "").replaceAll(root, ".")
  return [tmpdir(), homedir()]
    .filter((place) => place.length > 1)
    .reduce((rest, place) => hidePlace(rest, place), relative)
}

/** What follows the place goes with it, unless it is another folder whose name only begins so: `/rooted` is not in `/root`. */
function hidePlace(text: string, place: string): string {
  const [first = "", ...others] = text.split(place)
  const hidden = others.map((rest) =>
    /^[^/\\\s"']/.test(rest) ? place + rest : `…${rest.replace(/^[^\s"']*/, "")}`,
  )
  return [first, ...hidden].join("")
}
