// What a block does, in one line of the outline. Whatever stands in the file: a broken block has the line that it still gives.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { count } from "../text/count.ts"

export function blockSummary(block: JsonValue): string {
  if (!isJsonObject(block)) return ""
  switch (block["type"]) {
    case "request":
      return requestSummary(block["request"])
    case "assert":
      return scriptSummary(block["script"]) ?? assertionsSummary(block["assertions"])
    case "transform":
      return scriptSummary(block["script"]) ?? transformsSummary(block["transforms"])
    case "condition":
      return `if ${scriptSummary(block["script"]) ?? assertionSummary(block["if"])}`
    case "loop":
      return loopSummary(block)
    case "group":
      return isJsonArray(block["blocks"]) ? count(block["blocks"].length, "block") : ""
    case "script":
      return scriptSummary(block["script"]) ?? ""
    default:
      return ""
  }
}

function requestSummary(target: JsonValue | undefined): string {
  if (!isJsonObject(target)) return ""
  const instance = text(target["instance"])
  const operation = instance === "" ? text(target["operation"]) : instance
  if (operation === "") return `${text(target["api"])} · nothing chosen yet`
  return `${text(target["api"])} · ${operation}`
}

function assertionsSummary(assertions: JsonValue | undefined): string {
  if (!isJsonArray(assertions) || assertions.length === 0) return "no assertions"
  return assertions.length === 1 ? assertionSummary(assertions[0]) : count(assertions.length, "assertion")
}

const words: Readonly<Record<string, string>> = {
  equals: "=",
  notEquals: "≠",
  greaterThan: ">",
  lessThan: "<",
  contains: "contains",
  exists: "exists",
  notExists: "does not exist",
  hasValue: "has a value",
  hasNoValue: "has no value",
}

/** `login.response.status = 200` */
export function assertionSummary(assertion: JsonValue | undefined): string {
  if (!isJsonObject(assertion)) return "…"
  const operator = text(assertion["operator"])
  const value = Object.hasOwn(assertion, "value") ? ` ${short(assertion["value"])}` : ""
  const word = Object.hasOwn(words, operator) ? words[operator] : operator
  return `${text(assertion["source"]) || "…"} ${word}${value}`
}

function transformsSummary(transforms: JsonValue | undefined): string {
  const names = isJsonObject(transforms) ? Object.keys(transforms) : []
  return names.length === 0 ? "no outputs" : names.slice(0, 6).join(", ")
}

function loopSummary(loop: JsonObject): string {
  const iterator = text(loop["iteratorVar"])
  const as = iterator === "" ? "" : ` as ${iterator}`
  const parallel = loop["execution"] === "parallel" ? ", in parallel" : ""
  if (loop["mode"] === "times") return `${short(loop["count"])} times${as}${parallel}`
  if (loop["mode"] === "forEach") return `for each of ${text(loop["source"]) || "…"}${as}${parallel}`
  if (loop["mode"] !== "until") return ""
  const check = scriptSummary(loop["script"]) ?? assertionSummary(loop["until"])
  return `until ${check}, at most ${short(loop["maxIterations"] ?? 100)}`
}

function scriptSummary(script: JsonValue | undefined): string | undefined {
  if (!isJsonObject(script)) return undefined
  const [name, exported] = [text(script["name"]), text(script["exportName"])]
  return name === "" ? "no script chosen yet" : `${exported} of ${name}.ts`
}

const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

function short(value: JsonValue | undefined): string {
  if (value === undefined) return "…"
  if (typeof value === "object" && value !== null) return isJsonArray(value) ? `[${value.length}]` : "{…}"
  return typeof value === "bigint" ? String(value) : JSON.stringify(value).slice(0, 60)
}
