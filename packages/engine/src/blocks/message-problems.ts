// Finds the messages of the inbox that break the contract of their sender. Loaded only by runs with an inbox.

import {
  isJsonArray,
  isJsonObject,
  member,
  toText,
  type ContractProblem,
  type JsonValue,
} from "@callsheet/format"

/** Returns the problems of all messages in a response of the inbox, with their places in its body. */
export function messageProblems(body: JsonValue | undefined): readonly ContractProblem[] {
  const messages = member(body, "messages")
  return (isJsonArray(messages) ? messages : []).flatMap((message, index) => {
    const contract = member(message, "contract")
    const problems = member(contract, "problems")
    if (member(contract, "status") !== "failed" || !isJsonArray(problems)) return []
    const [method, path] = ["method", "path"].map((name) => toText(member(message, name) ?? ""))
    return problems.flatMap((problem) => {
      const found = problemOf(problem)
      if (found === undefined) return []
      const place = `/body/messages/${index}${found.path}`
      return [{ ...found, path: place, message: `${method} ${path}: ${found.message}` }]
    })
  })
}

/** Reads a problem as the inbox wrote it. */
function problemOf(problem: JsonValue): ContractProblem | undefined {
  const text = (name: string) => {
    const value = member(problem, name)
    return typeof value === "string" ? { [name]: value } : {}
  }
  const line = member(problem, "line")
  return isJsonObject(problem)
    ? {
        path: "",
        message: "",
        ...text("path"),
        ...text("message"),
        ...text("schema"),
        ...text("file"),
        ...(typeof line === "number" ? { line } : {}),
      }
    : undefined
}
