// Templates of new scripts: a function with the context of a kind of block. Pure.

import type { BlockKind } from "@callsheet/format"

export interface ScriptKind {
  readonly context: "AssertContext" | "ConditionContext" | "TransformContext" | "ScriptContext"
  readonly label: string
  readonly does: string
  readonly returns: string
  readonly body: string
}

export const scriptKinds: readonly ScriptKind[] = [
  {
    context: "AssertContext",
    label: "Assert",
    does: "Fails the block if a check fails.",
    returns: "void",
    body: 'ctx.assert(true, "describe what is wrong")',
  },
  {
    context: "ConditionContext",
    label: "Condition",
    does: "Returns true or false, for a condition block or an until loop.",
    returns: "boolean",
    body: "return true",
  },
  {
    context: "TransformContext",
    label: "Transform",
    does: "Returns an object whose properties later blocks read.",
    returns: "Record<string, unknown>",
    body: "return { at: new Date() }",
  },
  {
    context: "ScriptContext",
    label: "Script",
    does: "Runs any code, for a script block.",
    returns: "Promise<void>",
    body: "ctx.log(`Running ${ctx.workflow.name}`)",
  },
]

/** Returns the kind of script that a block calls. A loop calls one to decide whether it ends. */
export function scriptKindFor(block: BlockKind): ScriptKind | undefined {
  const context = contexts[block]
  return scriptKinds.find((kind) => kind.context === context)
}

const contexts: Readonly<Partial<Record<BlockKind, ScriptKind["context"]>>> = {
  assert: "AssertContext",
  condition: "ConditionContext",
  loop: "ConditionContext",
  transform: "TransformContext",
  script: "ScriptContext",
}

export function scriptTemplate(kind: ScriptKind, exportName: string): string {
  return [`import type { ${kind.context} } from "@callsheet/sdk"`, "", scriptFunction(kind, exportName)].join(
    "\n",
  )
}

/** Returns the function alone, for a script that exists. It names its type by an import, which may be there twice. */
export function addedFunction(kind: ScriptKind, exportName: string): string {
  const type = `import("@callsheet/sdk").${kind.context}`
  return `\n${scriptFunction(kind, exportName).replace(`ctx: ${kind.context}`, `ctx: ${type}`)}`
}

function scriptFunction({ context, does, returns, body }: ScriptKind, exportName: string): string {
  const keyword = returns.startsWith("Promise") ? "export async function" : "export function"
  return [
    `/** ${does} */`,
    `${keyword} ${exportName}(ctx: ${context}): ${returns} {`,
    `  ${body}`,
    "}",
    "",
  ].join("\n")
}

/** `checks/order-total` becomes `orderTotal`. */
export function functionNameFor(script: string): string {
  const words = (script.split("/").at(-1) ?? "").split(/[^A-Za-z0-9$_]+/).filter((word) => word !== "")
  const name = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("")
  const safe = /^[0-9]/.test(name) || reserved.has(name) ? `_${name}` : name
  return safe === "" ? "run" : safe
}

const lowerFirst = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
const upperFirst = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export function checkFunctionName(name: string): string | undefined {
  if (!/^[A-Za-z_$][\w$]*$/.test(name))
    return "A function name may contain letters, digits, _ and $, and can't start with a digit."
  return reserved.has(name) ? `${name} is a reserved word in TypeScript.` : undefined
}

const reserved: ReadonlySet<string> = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
)
