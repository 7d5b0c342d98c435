// The words that other tools use for fields and values of ours.

import { operatorNames, operators } from "../workflow/operators.ts"

const words: Readonly<Record<string, readonly string[]>> = {
  // Fields of a request.
  api: ["apiName", "service", "collection"],
  resource: ["tag", "folder"],
  operation: ["operationId", "endpoint"],
  instance: ["example", "savedRequest"],
  query: ["queries", "queryParams", "queryParameters", "queryString", "qs", "search"],
  path: ["pathParams", "pathParameters", "pathVariables", "pathVars"],
  header: ["headers", "requestHeaders"],
  cookie: ["cookies"],
  params: ["parameters"],
  body: ["json", "data", "payload", "form", "formData", "bodyJson", "requestBody", "raw"],
  // Fields of other blocks.
  id: ["name", "title", "label"],
  source: ["items", "list", "collection", "jsonpath", "jsonPath", "target", "property", "path", "over"],
  value: ["expected", "expect", "equals", "toEqual", "eq"],
  operator: ["op", "comparator", "comparison", "predicate"],
  iteratorVar: ["as", "item", "itemVar", "iterator", "var", "each", "variable"],
  count: ["iterations", "repeat"],
  maxIterations: ["maxAttempts", "retries", "limit"],
  delayMs: ["interval", "wait", "sleep"],
  blocks: ["steps", "requests", "actions", "children"],
  assertions: ["asserts", "checks", "tests", "expectations"],
  transforms: ["outputs", "captures", "extract", "set"],
  ...Object.fromEntries(operatorNames.map((name) => [name, operators[name].otherWords])),
  // Kinds and modes of blocks.
  request: ["http", "call", "step", "get", "post", "fetch"],
  assert: ["assertion", "test", "check", "expect"],
  transform: ["set", "extract", "capture", "variables"],
  condition: ["if", "when", "switch", "conditional"],
  loop: ["forEach", "for", "foreach", "while", "repeat", "until", "times"],
  group: ["steps", "sequence", "parallel", "folder"],
  script: ["js", "javascript", "code", "function"],
  forEach: ["each", "for", "list"],
  times: ["count", "repeat", "for"],
  until: ["while", "poll"],
}

const ours = new Map<string, string[]>()
for (const [own, others] of Object.entries(words))
  for (const other of others) ours.set(other, [...(ours.get(other) ?? []), own])

/** Returns our words for one of another tool. Several, because a word may be a field here and a value there. */
export const ownWords = (other: string): readonly string[] => ours.get(other) ?? []
