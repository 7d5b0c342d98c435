// Evaluates `${{ … }}` and `if:` with GitHub's own implementation of the language.

import { data, Evaluator, Lexer, Parser } from "@actions/expressions"

/** The values of `inputs`, `steps` and so on. */
export type Contexts = Readonly<Record<string, unknown>>

export type Outcome = "success" | "failure"

/** The contexts that GitHub knows. */
const contextNames = ["env", "github", "inputs", "matrix", "needs", "runner", "secrets", "steps", "strategy"]

/** Returns whether an expression is valid. Doesn't check names below a context. */
export function parses(expression: string): boolean {
  const hashFiles = { name: "hashFiles", minArgs: 1, maxArgs: 255 }
  const { tokens } = new Lexer(expression).lex()
  try {
    new Parser(tokens, contextNames, [hashFiles]).parse()
    return true
  } catch {
    return false
  }
}

/** Returns the text with the values of its expressions. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression, contexts).coerceString(),
  )
}

/** Returns whether a step runs. Without a status function, it needs the success of all steps before it. */
export function isTrue(condition: string, outcome: Outcome, contexts: Contexts): boolean {
  const text = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/, "$1")
  const needsSuccess = !/\b(always|success|failure|cancelled)\(\)/.test(text)
  if (needsSuccess && outcome === "failure") return false
  const result = evaluate(text, contexts, outcome)
  return !(result.coerceString() === "" || ["false", "0"].includes(result.coerceString()))
}

function evaluate(expression: string, contexts: Contexts, outcome: Outcome = "success") {
  const status = { always: true, success: outcome === "success", failure: outcome === "failure" }
  const functions = Object.entries(status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }))
  const { tokens } = new Lexer(expression).lex()
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse()
  const values = Object.entries(contexts).map(([key, value]) => ({
    key,
    value: JSON.parse(JSON.stringify(value), data.reviver) as data.ExpressionData,
  }))
  const named = new Map(functions.map((definition) => [definition.name, definition]))
  return new Evaluator(parsed, new data.Dictionary(...values), named).evaluate()
}
