// Finds how a path that another tool would read is written here: `$.id`, `res.body.id`, `pm.response.code`.

import { formatPath } from "@callsheet/format"

interface Readable {
  /** Returns whether a block or an input has this name. */
  readonly knows: (name: string) => boolean
  readonly hasResponse: (block: string) => boolean
  /** The id of the block whose response was received last. Undefined if there is none. */
  readonly lastResponse: string | undefined
}

/** Words before a path that say nothing. */
const prefixes = new Set([
  "pm",
  "jsonpath",
  "jsonPath",
  "JSONPath",
  "steps",
  "blocks",
  "requests",
  "bru",
  "expect",
])
const responses = new Set(["response", "res", "resp", "rsp", "result", "previous", "last", "lastResponse"])

const members = new Map<string, string>()
const add = (member: string, names: string): void => {
  for (const name of names.split(" ")) members.set(name.toLowerCase(), member)
}
add("status", "status statusCode status_code code responseCode responseStatus getStatus http_status")
add("body", "body data json getBody jsonBody responseBody payload content text $ @")
add("headers", "headers header getHeader getHeaders responseHeaders")
add("durationMs", "durationMs duration time responseTime getResponseTime elapsed latency")
add("cookies", "cookies cookie")

/** Returns the path in our words. Undefined if the text doesn't look like a path into a response. */
export function ownPath(text: string, { knows, hasResponse, lastResponse }: Readable): string | undefined {
  const words = (text.match(/[^.[\](){}"'\s#/?]+/g) ?? []).map((word) =>
    word.length > 1 ? word.replace(/^\$/, "") : word,
  )
  while (words.length > 1 && prefixes.has(words[0] ?? "")) words.shift()
  if (words[0] === "$" && words[2] === "response" && knows(words[1] ?? "")) words.shift()
  const [first = ""] = words
  const block = knows(first) ? words.shift() : (lastResponse ?? "<block>")
  if (block === undefined || words.length === 0) return undefined
  if (words[0] === "outputs" && words.length > 1)
    return formatPath([block, ...(hasResponse(block) ? ["response", "body"] : []), ...words.slice(1)])
  let isResponse = false
  for (; responses.has(words[0] ?? ""); words.shift()) isResponse = true
  const [part, ...rest] = words
  const member = members.get(part?.toLowerCase() ?? "")
  const path = pathInto(member, isResponse && part !== undefined ? words : undefined, rest)
  return path === undefined ? undefined : `${block}.${formatPath(["response", ...path])}`
}

function pathInto(
  member: string | undefined,
  inBody: readonly string[] | undefined,
  rest: readonly string[],
): readonly string[] | undefined {
  switch (member) {
    case "status":
    case "durationMs":
      return [member]
    case "body":
      return ["body", ...rest]
    case "headers":
      return ["headers", ...rest.map((name) => name.toLowerCase()).filter((name) => name !== "get")]
    case "cookies":
      return ["headers", "set-cookie"]
    default:
      return inBody && ["body", ...inBody]
  }
}
