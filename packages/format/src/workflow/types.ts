// Types of workflows. The types of blocks are derived from their shapes in `blocks/`.

import type { TypeOf } from "../shape/shape.ts"
import type { assertShape } from "./blocks/assert.ts"
import type { conditionShape } from "./blocks/condition.ts"
import type { assertionShape, scriptShape } from "./blocks/definition.ts"
import type { groupShape } from "./blocks/group.ts"
import type { loopShape } from "./blocks/loop.ts"
import type { overridesShape, paramsShape, requestShape, targetShape } from "./blocks/request.ts"
import type { scriptBlockShape } from "./blocks/script.ts"
import type { transformShape } from "./blocks/transform.ts"
import type { ComparingOperator } from "./operators.ts"
import type { inputShape, workflowShape } from "./workflow-shape.ts"

export type Workflow = TypeOf<typeof workflowShape>
export type InputDeclaration = TypeOf<typeof inputShape>

export type OnFailure = NonNullable<Workflow["onFailure"]>
export type ScalarType = InputDeclaration["type"]

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
// An interface, because the compiler resolves it later than an alias: block types refer to each other.
export interface Blocks extends ReadonlyArray<Block> {}

export type RequestBlock = TypeOf<typeof requestShape>
export type AssertBlock = TypeOf<typeof assertShape>
export type TransformBlock = TypeOf<typeof transformShape>
export type ConditionBlock = TypeOf<ReturnType<typeof conditionShape>>
export type LoopBlock = TypeOf<ReturnType<typeof loopShape>>
export type GroupBlock = TypeOf<ReturnType<typeof groupShape>>
export type ScriptBlock = TypeOf<typeof scriptBlockShape>

/** An operation, a saved request, or a saved request of a given operation. */
export type RequestTarget = TypeOf<typeof targetShape>
export type Overrides = TypeOf<typeof overridesShape>
export type Params = TypeOf<typeof paramsShape>
export type TextMap = Readonly<Record<string, string>>
export type Assertion = TypeOf<typeof assertionShape>
export type Comparison = Extract<Assertion, { readonly operator: ComparingOperator }>
export type ScriptTarget = TypeOf<typeof scriptShape>
export type LoopMode = LoopBlock["mode"]
export type LoopOf<M extends LoopMode> = Extract<LoopBlock, { readonly mode: M }>
