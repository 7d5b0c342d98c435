// Chooses the documented response to a valid request: by `Prefer`, and by `Accept`.

import {
  responseContract,
  type OpenApiDocument,
  type Operation,
  type ResponseContract,
} from "@callsheet/openapi"
import { hasNoContent } from "@callsheet/openapi"
import { messages } from "./messages.ts"
import { refuse, type Answer } from "./answer.ts"
import { namedMedia, usualStatus, type Wanted } from "./documented-answers.ts"
import { headerList, type Incoming } from "./incoming.ts"
import { negotiate, readPreferences, sentMedia } from "./preferences.ts"

export type Choice =
  | { readonly is: "chosen"; readonly wanted: Wanted; readonly applied: string | undefined }
  | { readonly is: "refused"; readonly answer: Answer }

export interface Choosing {
  readonly document: OpenApiDocument
  readonly operation: Operation
  readonly incoming: Incoming
  /** The status unless `Prefer` asks for another one. By default, the usual one. */
  readonly status?: number | undefined
}

export function chooseResponse({ document, operation, incoming, status: usual }: Choosing): Choice {
  const { code, example } = readPreferences(incoming)
  const { method, path } = operation
  const texts = messages["mock-refused"]
  const asked = code === undefined ? (usual ?? usualStatus(operation)) : readStatus(code)
  const contract = asked === undefined ? undefined : responseContract(operation, asked)
  if (asked === undefined || (code !== undefined && contract?.status !== "found"))
    return refused(operation, texts.code(code ?? "", method, path))
  const documented = contract?.status === "found" ? contract : undefined
  const media =
    documented === undefined || hasNoContent("GET", asked)
      ? []
      : example === undefined
        ? sentMedia(documented.content)
        : namedMedia(document, documented, example)
  if (example !== undefined && media.length === 0)
    return refused(operation, texts.example(example, method, path))
  const accept = headerList(incoming, "accept")
  const sent = negotiate(media, accept)
  if (sent === undefined && media.length > 0)
    return { is: "refused", answer: notAcceptable(operation, accept ?? "", documented) }
  const applied = [
    ...(code === undefined ? [] : [`code=${asked}`]),
    ...(example === undefined ? [] : [`example=${JSON.stringify(example)}`]),
  ]
  return {
    is: "chosen",
    wanted: { operation, status: asked, sent, example },
    applied: applied.length === 0 ? undefined : applied.join(", "),
  }
}

/** Reads a status. An informational status can't be the answer to a request. */
const readStatus = (code: string): number | undefined => (/^[2-5]\d\d$/.test(code) ? Number(code) : undefined)

function refused(
  operation: Operation,
  finding: ReturnType<(typeof messages)["mock-refused"]["code"]>,
): Choice {
  const problems = [{ path: "/headers/prefer", message: finding.message }]
  return { is: "refused", answer: refuse({ status: 400, finding, problems, operation }) }
}

function notAcceptable(
  operation: Operation,
  accept: string,
  documented: ResponseContract | undefined,
): Answer {
  const names = documented?.content.map(({ name }) => name) ?? []
  const finding = messages["mock-refused"].accept(accept, names)
  const problems = [{ path: "/headers/accept", message: finding.message }]
  return refuse({ status: 406, finding, problems, operation })
}
