// Describes errors to the page: misuse with its message, bugs without details, and never a path outside the project.

import { homedir, tmpdir } from "node:os"
import { CallsheetError } from "@callsheet/format"
import type { CallFailure } from "../calls/index.ts"
import { CallRefused, type RefusalDetails } from "../handlers.ts"

export const bugFailure: CallFailure = {
  code: "internal",
  message: "a bug in callsheet: please report it, with the terminal's output",
}

/** Describes an error without paths outside `root`, the project's directory. */
export function describeFailure(error: CallsheetError, root: string): CallFailure {
  const { code, message, hint } = error
  const shown = (text: string) => withoutPlaces(text, root)
  const { problems, ...rest }: RefusalDetails = error instanceof CallRefused ? error.details : {}
  return {
    code,
    message: shown(message),
    hint: hint && shown(hint),
    ...rest,
    problems: problems?.map((problem) => ({ ...problem, message: shown(problem.message) })),
  }
}

/**
 * Makes paths inside the project relative, and removes paths in the user's and the system's directories. Keeps other strings
 * that look like paths, such as an operation's `/orders/{id}`.
 */
export function withoutPlaces(text: string, root: string): string {
  const relative = text.replaceAll(`${root}/`, "").replaceAll(`${root}\\`, "").replaceAll(root, ".")
  return [tmpdir(), homedir()]
    .filter((place) => place.length > 1)
    .reduce((rest, place) => hidePlace(rest, place), relative)
}

/** Also removes the rest of the path, unless the path only starts with the same characters: `/rooted` is not in `/root`. */
function hidePlace(text: string, place: string): string {
  const [first = "", ...others] = text.split(place)
  const hidden = others.map((rest) =>
    /^[^/\\\s"']/.test(rest) ? place + rest : `…${rest.replace(/^[^\s"']*/, "")}`,
  )
  return [first, ...hidden].join("")
}
