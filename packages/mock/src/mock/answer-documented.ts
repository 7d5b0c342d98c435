// Answers requests from a document: checks them, and sends the documented responses.

import { once } from "@callsheet/format"
import { createPlaceFinder, type Operation } from "@callsheet/openapi"
import { messages } from "./messages.ts"
import { refuse, type Answer } from "./answer.ts"
import type { InspectIncoming } from "./answer-recorded.ts"
import { checkIncoming, problemsOf } from "./check-incoming.ts"
import { chooseResponse } from "./choose-response.ts"
import { DocumentedAnswers } from "./documented-answers.ts"
import type { Incoming } from "./incoming.ts"
import { createRouter, type Route } from "./router.ts"

export type AnswerIncoming = (incoming: Incoming, isSecret: (text: string) => boolean) => Promise<Answer>

/** A valid request to an operation. */
export interface Accepted {
  readonly operation: Operation
  readonly params: ReadonlyMap<string, string>
  readonly incoming: Incoming
}

interface DocumentedMock {
  readonly api: string
  readonly answers: DocumentedAnswers
  /** Answers the requests that need more than the document, such as a store. Undefined for all others. */
  readonly answerFirst?: ((accepted: Accepted) => Promise<Answer | undefined>) | undefined
}

export function answerDocumented({ api, answers, answerFirst }: DocumentedMock): AnswerIncoming {
  const { document } = answers
  const route = createRouter(document)
  const placeOf = once(() => createPlaceFinder(document, { isRare: true }))
  return async (incoming, isSecret) => {
    const found = route(incoming.method, incoming.path)
    if (found.is !== "found") return refuseRoute(api, incoming, found)
    const { operation, params } = found
    const refused = await checkIncoming({
      checker: answers.checker,
      placeOf: (pointer) => placeOf()(pointer),
      operation,
      incoming,
      isSecret,
    })
    if (refused !== undefined) return refused
    const own = await answerFirst?.({ operation, params, incoming })
    if (own !== undefined) return own
    const choice = chooseResponse({ document, operation, incoming })
    if (choice.is === "refused") return choice.answer
    const made = await answers.constant(choice.wanted)
    const applied = choice.applied === undefined ? {} : { "preference-applied": choice.applied }
    return { ...made, headers: { ...made.headers, ...applied }, operation }
  }
}

/** Finds the operation and the problems of a request without refusing it. */
export function inspectIncoming(answers: DocumentedAnswers): InspectIncoming {
  const route = createRouter(answers.document)
  return async (incoming, isSecret) => {
    const found = route(incoming.method, incoming.path)
    if (found.is !== "found") return {}
    const { operation } = found
    const tolerated = await problemsOf({ checker: answers.checker, operation, incoming, isSecret })
    return { operation, tolerated }
  }
}

function refuseRoute(
  api: string,
  { method, path }: Incoming,
  route: Exclude<Route, { is: "found" }>,
): Answer {
  const texts = messages["mock-refused"]
  if (route.is === "unknown") return refuse({ status: 404, finding: texts.path(api, path) })
  const allow = route.allow.join(", ")
  return refuse({ status: 405, finding: texts.method(method, route.path), headers: { allow } })
}
