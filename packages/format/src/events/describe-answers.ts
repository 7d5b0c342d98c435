// Says how the requests of an import were answered in its first run, and what is left to do, for the command and the page.

import { plural } from "../messages/define-messages.ts"
import type { Answers } from "./answers.ts"

interface Left {
  /** The files of the scripts that have to be translated. */
  readonly untranslated: readonly string[]
  /** The variables that have no value, as `api.name`. */
  readonly unset: readonly string[]
}

/** A part of the sentence, such as `2 scripts to finish`, with what it counts. */
export interface AnswersPart {
  readonly text: string
  readonly items: readonly string[]
}

/** Returns the parts of a sentence. The caller joins them, and shows the items as it can. */
export function describeAnswers(answers: Answers, { untranslated, unset }: Left): readonly AnswersPart[] {
  const { requests, otherFailures } = answers
  return [
    { text: requests === 0 ? "no request was sent" : answeredText(answers), items: [] },
    ...(otherFailures === 0 ? [] : [{ text: `${plural(otherFailures, "other block")} failed`, items: [] }]),
    ...(untranslated.length === 0
      ? []
      : [{ text: `${plural(untranslated.length, "script")} to finish`, items: untranslated }]),
    ...(unset.length === 0 ? [] : [{ text: `${plural(unset.length, "variable")} to set`, items: unset }]),
  ]
}

function answeredText({ requests, answered, undocumented }: Answers): string {
  const how =
    undocumented === 0
      ? "as documented"
      : undocumented === requests
        ? "with a status below 400; no document describes them"
        : `as documented, or with a status below 400 if no document describes them (${undocumented})`
  return `${answered} of ${plural(requests, "request")} answered ${how}`
}
