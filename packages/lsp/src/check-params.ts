// Says what is wrong with the parameters of a request, so that no answer reads values of another kind.

/** Requests about a place in a document. */
const placed = new Set([
  "completion",
  "hover",
  "signatureHelp",
  "declaration",
  "definition",
  "typeDefinition",
  "implementation",
  "references",
  "documentHighlight",
  "prepareRename",
  "rename",
  "linkedEditingRange",
])

type Fields = Readonly<Record<string, unknown>>

/** Requests about no document, each with the field that it needs. */
const ofOthers: ReadonlyMap<
  string,
  { readonly field: string; readonly isGiven: (params: Fields) => boolean }
> = new Map([
  [
    "workspace/diagnostic",
    { field: "previousResultIds", isGiven: (params) => Array.isArray(params["previousResultIds"]) },
  ],
  ["workspace/symbol", { field: "query", isGiven: ({ query }) => typeof query === "string" }],
  ["workspace/executeCommand", { field: "command", isGiven: ({ command }) => typeof command === "string" }],
  ["completionItem/resolve", { field: "label", isGiven: ({ label }) => typeof label === "string" }],
])

/** Returns a message, or undefined if the parameters have the fields that every answer needs. */
export function faultInParams(method: string, params: unknown): string | undefined {
  const needed = ofOthers.get(method)
  if (needed !== undefined)
    return isObject(params) && needed.isGiven(params) ? undefined : `${needed.field} is missing`
  const [area, name = ""] = method.split("/")
  if (area !== "textDocument") return undefined
  if (!isObject(params) || !isObject(params["textDocument"])) return "textDocument is missing"
  if (typeof params["textDocument"]["uri"] !== "string") return "textDocument.uri must be a string"
  if (placed.has(name) && !isPosition(params["position"])) return "position must be a position"
  if (name === "rename" && typeof params["newName"] !== "string") return "newName must be a string"
  if (name === "codeAction" && !(isRange(params["range"]) && isObject(params["context"])))
    return "range or context is missing"
  if (name === "selectionRange" && !isPositions(params["positions"])) return "positions are missing"
  return undefined
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isCount = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** 31

const isPosition = (value: unknown): boolean =>
  isObject(value) && isCount(value["line"]) && isCount(value["character"])

const isPositions = (value: unknown): boolean => Array.isArray(value) && value.every(isPosition)

const isRange = (value: unknown): boolean =>
  isObject(value) && isPosition(value["start"]) && isPosition(value["end"])
