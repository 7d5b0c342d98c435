// Decides the checks that a script makes with `ctx.expect`, and turns them into assertions.

import {
  formatPath,
  isJsonArray,
  judge,
  parsePathOnce,
  wordsOf,
  type AssertionView,
  type CheckName,
  type ContractProblem,
  type JsonValue,
} from "@callsheet/format"
import { lookUp, type Lookup } from "@callsheet/language"
import { withheldView } from "../run/check.ts"
import type { Running } from "../run/context.ts"
import { messages } from "../messages.ts"
import type { CheckPort, ScriptCheck, ScriptVerdict } from "../ports.ts"
import { unknownSays } from "../run/undecided.ts"

export interface MadeCheck {
  readonly passed: boolean
  readonly view: AssertionView
}

/** The maximum number of paths to remember. If the script fails, they show what it read. */
export const MAX_PATHS = 1000
/** The maximum number of checks that a report contains. */
const MAX_CHECKS = 10_000
/** The maximum number of violations of a schema that a message lists. */
const MAX_VIOLATIONS = 3

const says = messages["script-error"]

/** Creates the functions that decide a script's checks. Adds each decided check to `made`. */
export function scriptChecks(
  running: Running,
  made: MadeCheck[],
  { paths, onUnknown }: { readonly paths: Set<string>; readonly onUnknown: () => void },
): CheckPort {
  const { withheld } = running.frame.scope.run
  const find = (argument: JsonValue | undefined, text: string | undefined): Subject => {
    const found = findSubject(running, argument, text)
    if (found.path !== undefined && paths.size < MAX_PATHS) paths.add(found.path)
    const { looked } = found
    if (looked.isUnknown === true || (withheld !== undefined && looked.found && looked.isSecret === true))
      onUnknown()
    return found
  }
  return {
    subject: (argument, text) => {
      const { looked } = find(argument, text)
      return looked.found ? looked.value : undefined
    },
    check: async (check) => {
      const subject = find(check.subject, check.text)
      const decided = check.name === "toMatchSchema" ? await checkSchema(running, check, subject) : check
      if ("refused" in decided) return { is: "refused", reason: decided.refused }
      if (made.length >= MAX_CHECKS) return { is: "refused", reason: says.manyChecks(MAX_CHECKS).message }
      const one = decide(decided, subject, check.place)
      made.push(one)
      return one.passed
        ? { is: "passed" }
        : ({ is: "failed", reason: describe(one.view) } satisfies ScriptVerdict)
    },
  }
}

interface Subject {
  /** Absent for a value. */
  readonly path?: string
  readonly looked: Looked
}

type Looked =
  | {
      readonly found: true
      readonly value: JsonValue
      readonly isSecret?: boolean
      readonly isUnknown?: boolean
    }
  | { readonly found: false; readonly reason: string; readonly isUnknown?: boolean }

/**
 * Finds what `expect` is about. In an assert block, a string with the form of a path is a path if the call contains it as
 * text, so that a typing error doesn't become a value. A computed string is a path only if it starts with a result, an
 * iterator or `env`. `text` is the code of the argument.
 */
function findSubject(
  { block, frame: { scope } }: Running,
  argument: JsonValue | undefined,
  text: string | undefined,
): Subject {
  const nothing = { found: false, reason: says.undefinedValue().message } as const
  const value: Subject = {
    looked: argument === undefined ? nothing : { found: true, value: argument },
  }
  if (block.type !== "assert" || typeof argument !== "string" || !/[.[]/.test(argument)) return value
  const parsed = parsePathOnce(argument)
  if (!parsed.ok || parsed.segments.length < 2) return value
  const [first, second] = parsed.segments
  const looked = lookUp(scope, argument)
  const isPath =
    isLiteral.test(text ?? "") ||
    looked.found ||
    second === "response" ||
    first === "env" ||
    isOutputs(lookUp(scope, formatPath([first])))
  return isPath ? { path: argument, looked } : value
}

/** A string literal without blanks. A sentence isn't a path. */
const isLiteral = /^(["'`])\S+\1$/

/** Returns whether a name has outputs or is an iterator: its value is an object, but not that of a request. */
const isOutputs = (looked: Lookup): boolean =>
  looked.found &&
  typeof looked.value === "object" &&
  looked.value !== null &&
  !Object.hasOwn(looked.value, "response")

function decide(check: ScriptCheck, { path, looked }: Subject, place: ScriptCheck["place"]): MadeCheck {
  const { name, isNot, expected, decided, text } = check
  const verdict = looked.found
    ? judge(name, looked.value, { expected: expected ?? null, decided })
    : looked.reason
  const passed = typeof verdict === "boolean" && verdict !== isNot
  const message =
    typeof verdict === "string" ? verdict : looked.found ? measure(name, looked.value) : undefined
  return {
    passed,
    view: {
      source: path ?? text ?? "value",
      operator: isNot ? `not.${name}` : name,
      ...(expected === undefined ? {} : { expected }),
      ...(looked.found ? { actual: looked.value } : {}),
      status: passed ? "passed" : "failed",
      ...(passed || message === undefined ? {} : { message }),
      ...(passed ? {} : place),
    },
  }
}

/** Describes what a check measures, if it is not the value itself. */
const measure = (name: CheckName, value: JsonValue): string | undefined =>
  name === "toHaveLength" && (typeof value === "string" || isJsonArray(value))
    ? says.length(value.length).message
    : undefined

/** Checks a value against a schema by name, in the document of the only API that has it. */
async function checkSchema(
  { frame }: Running,
  check: ScriptCheck,
  { looked }: Subject,
): Promise<ScriptCheck | { readonly refused: string }> {
  const { plan, secrets } = frame.context
  const { apis } = plan
  const name = check.expected as string
  const wanted = [...apis].filter(([api]) => check.api === undefined || api === check.api)
  const value = looked.found ? looked.value : null
  const found: { readonly api: string; readonly problems: readonly ContractProblem[] }[] = []
  for (const [api, { checkSchema }] of wanted) {
    const problems = await checkSchema?.(name, value, secrets.occursIn)
    if (problems !== undefined) found.push({ api, problems })
  }
  const [first, ...others] = found
  if (first === undefined)
    return {
      refused: says.noSchema(
        name,
        wanted.map(([api]) => api),
      ).message,
    }
  if (others.length > 0)
    return {
      refused: says.severalSchemas(
        name,
        found.map(({ api }) => api),
      ).message,
    }
  if (!looked.found || first.problems.length === 0) return { ...check, decided: true }
  const listed = first.problems
    .slice(0, MAX_VIOLATIONS)
    .map(({ path, message }) => `${path.slice("/body".length) || "/"}: ${message}`)
  return { ...check, decided: check.isNot ? false : says.violations(listed, first.problems.length).message }
}

/** Describes a failed check in one line, for an error. */
function describe(view: AssertionView): string {
  const { source, operator } = view
  const { phrase } = wordsOf(operator)
  return says.expectation(source, phrase, view).message
}

/** Returns how a report shows a check. What a masked or withheld value decides is shown as undecidable. */
export function viewOfScript(
  { passed, view }: MadeCheck,
  { frame }: Running,
  readsUnknown: boolean,
): AssertionView {
  const { unknown, withheld } = frame.scope.run
  const { source, operator, status } = view
  if (readsUnknown && withheld !== undefined) return withheldView(view)
  if (readsUnknown && !passed && unknown?.isStrict !== true)
    return { ...view, status: "undecidable", message: unknownSays.assertion().message }
  // The values of passed checks are needed only by a listener that reads exchanges.
  return passed && !frame.context.plan.settings.exchanges ? { source, operator, status } : view
}
