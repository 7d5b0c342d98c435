// Checks a request to an operation. Returns the answer that refuses it, or undefined.

import { setOwn, type ContractProblem } from "@callsheet/format"
import {
  credentialPlace,
  readQuery,
  securityOf,
  type CheckedRequest,
  type ContractChecker,
  type Operation,
  type PlaceFinder,
} from "@callsheet/openapi"
import { messages } from "./messages.ts"
import { refuse, type Answer } from "./answer.ts"
import { challengeOf, missingCredentials } from "./credentials.ts"
import { headerOf, type Incoming } from "./incoming.ts"

export interface IncomingCheck {
  readonly checker: ContractChecker
  readonly placeOf: PlaceFinder
  readonly operation: Operation
  readonly incoming: Incoming
  /** Returns true if a text is a credential of the request, which no message may show. */
  readonly isSecret: (text: string) => boolean
}

/** Credentials come first, then the type of the body, then everything else. */
export async function checkIncoming(check: IncomingCheck): Promise<Answer | undefined> {
  const { operation, incoming } = check
  const { method, path } = operation
  const texts = messages["mock-refused"]
  const unauthorized = await checkCredentials(check)
  if (unauthorized !== undefined) return unauthorized
  const encoding = headerOf(incoming, "content-encoding")
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    return refuse({
      status: 415,
      finding: texts.encoding(encoding),
      headers: { "accept-encoding": "identity" },
      operation,
    })
  const problems = await problemsOf(check)
  if (problems.length === 0) return undefined
  const isOtherType = problems.some((problem) => problem.path === "/headers/content-type")
  return refuse({
    status: isOtherType ? 415 : 400,
    finding: texts.invalid(method, path),
    problems,
    operation,
  })
}

async function checkCredentials(check: IncomingCheck): Promise<Answer | undefined> {
  const { operation, incoming, placeOf } = check
  const missing = missingCredentials(operation, incoming)
  if (missing === undefined) return undefined
  const names = securityOf(operation).map((schemes) => schemes.map(({ name }) => name).join(" and "))
  const finding = messages["mock-refused"].credentials(operation.method, operation.path, names.join(", or "))
  const challenge = challengeOf(missing)
  const pointer = operation.member("security") === undefined ? "/security" : `${operation.pointer}/security`
  const { location = "header", name = "authorization" } = credentialPlace(missing[0]!) ?? {} // one is missing
  const place = `/${parts[location]}/${name}`
  const problem = { path: place, message: finding.message, ...(await placeOf(pointer)) }
  const headers = challenge === undefined ? {} : { "www-authenticate": challenge }
  return refuse({ status: 401, finding, problems: [problem], headers, operation })
}

const parts = { header: "headers", query: "query", cookie: "cookies" } as const

/** Returns the problems of a request by the rules for requests that callsheet sends. */
export async function problemsOf({
  checker,
  operation,
  incoming,
  isSecret,
}: Pick<IncomingCheck, "checker" | "operation" | "incoming" | "isSecret">): Promise<
  readonly ContractProblem[]
> {
  const { path, query, headers, cookies, body } = incoming
  const request: CheckedRequest = {
    operation,
    url: `http://mock${path}${query}`,
    headers,
    cookies,
    queryNames: query === "" ? [] : [...readQuery(query).keys()],
    // The bytes are read by the content type that was received.
    body: body.length === 0 ? undefined : { bytes: body, value: null, bodyType: "text" },
    isSecret,
  }
  const verdict = await checker.checkRequest(request)
  return verdict?.problems(byName(headers)) ?? []
}

function byName(headers: Incoming["headers"]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of headers) setOwn(found, name.toLowerCase(), value)
  return found
}
