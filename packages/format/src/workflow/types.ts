// A workflow as a typed value: all seven kinds of block on one page.

import type { JsonValue } from "../json/value.ts"

export interface Workflow {
  readonly $schema?: string
  readonly version: 1
  readonly blocks: readonly Block[]
  readonly onFailure?: OnFailure
  readonly validateContracts?: boolean
  readonly inputs?: Readonly<Record<string, InputDeclaration>>
}

export type OnFailure = "halt" | "continue"
export type ScalarType = "string" | "number" | "boolean"

export interface InputDeclaration {
  readonly type: ScalarType
  readonly required?: boolean
  readonly default?: JsonValue
  readonly description?: string
}

export interface BlockTypes {
  request: RequestBlock
  assert: AssertBlock
  transform: TransformBlock
  condition: ConditionBlock
  loop: LoopBlock
  group: GroupBlock
  script: ScriptBlock
}

export type BlockKind = keyof BlockTypes
export type Block<K extends BlockKind = BlockKind> = { [P in K]: BlockTypes[P] }[K]
export type Blocks = readonly Block[]

export interface BlockCommon<K extends BlockKind> {
  readonly id: string
  readonly type: K
  readonly description?: string
}

export interface RequestBlock extends BlockCommon<"request"> {
  readonly request: RequestTarget
}

export interface RequestTarget {
  readonly api: string
  readonly resource?: string
  readonly operation?: string
  readonly instance?: string
  readonly overrides?: Overrides
}

export interface Overrides {
  readonly params?: Params
  /** Keys are paths into the body. */
  readonly body?: Readonly<Record<string, JsonValue>>
}

export interface Params {
  readonly query?: TextMap
  readonly path?: TextMap
  readonly header?: TextMap
  readonly cookie?: TextMap
}

export type TextMap = Readonly<Record<string, string>>

export interface AssertBlock extends BlockCommon<"assert"> {
  readonly assertions?: readonly Assertion[]
  readonly script?: ScriptTarget
  readonly timeoutMs?: number
}

export interface Assertion {
  readonly source: string
  readonly operator: OperatorName
  readonly value?: JsonValue
}

export type OperatorName =
  | "equals"
  | "notEquals"
  | "exists"
  | "notExists"
  | "hasValue"
  | "hasNoValue"
  | "greaterThan"
  | "lessThan"
  | "contains"

export interface ScriptTarget {
  readonly name: string
  readonly exportName: string
}

export interface TransformBlock extends BlockCommon<"transform"> {
  readonly transforms?: TextMap
  readonly script?: ScriptTarget
  readonly timeoutMs?: number
}

export interface ConditionBlock extends BlockCommon<"condition"> {
  readonly if?: Assertion
  readonly script?: ScriptTarget
  readonly then: Blocks
  readonly else?: Blocks
  readonly timeoutMs?: number
}

export interface LoopBlock extends BlockCommon<"loop"> {
  readonly mode: LoopMode
  readonly count?: number
  readonly source?: string
  readonly until?: Assertion
  readonly script?: ScriptTarget
  readonly maxIterations?: number
  readonly delayMs?: number
  readonly timeoutMs?: number
  readonly iteratorVar?: string
  readonly execution?: "sequential" | "parallel"
  readonly blocks: Blocks
}

export type LoopMode = "times" | "forEach" | "until"

export interface GroupBlock extends BlockCommon<"group"> {
  readonly blocks: Blocks
}

export interface ScriptBlock extends BlockCommon<"script"> {
  readonly script: ScriptTarget
  readonly timeoutMs?: number
}
