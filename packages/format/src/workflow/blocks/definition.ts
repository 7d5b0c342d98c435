// Defines the functions and facts that each kind of block provides, so that shared code doesn't depend on kinds.

import { pointerTo, type JsonPointer, type Place } from "../../json/pointer.ts"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownOf } from "../../json/value.ts"
import {
  defaulted,
  milliseconds,
  object,
  optional,
  required,
  string,
  describedEnum,
  enumOf,
  any,
  type ObjectShapeOf,
  type Shape,
} from "../../shape/shape.ts"
import { blockIdPattern } from "../names.ts"
import { comparingOperators, operatorNames, operators, type OperatorName } from "../operators.ts"
import type { Assertion, Block, BlockKind, Blocks, ScriptTarget } from "../types.ts"

export type ChildField = "blocks" | "then" | "else"

export interface ChildList {
  readonly field: ChildField
  readonly blocks: Blocks
}

/** A string that may contain placeholders. A path is parsed after its placeholders are expanded. */
export interface LiveString {
  readonly pointer: JsonPointer
  readonly text: string
  readonly is: "text" | "path"
}

export interface LocatedAssertion {
  readonly assertion: Assertion
  readonly pointer: JsonPointer
  /** The purpose of the assertion. A polling check that hasn't passed yet is not a failure. */
  readonly role: "assertion" | "branch" | "polling"
}

export interface EmptyList {
  readonly field: string
  readonly message: string
}

/** The properties of a kind that apply to all its blocks, including invalid drafts. */
export interface BlockTraits {
  /** A one-sentence summary for the docs and the app's menu. */
  readonly summary: string
  /** The fields with nested blocks, in display order. The first one is required. */
  readonly childFields: readonly ChildField[]
  /** The kind of result that later blocks read by id: `<id>.response`, or outputs as `<id>.<name>`. */
  readonly result: "response" | "outputs" | "none"
  /** True if the nested blocks run in iterations. `iteratorVar` names the value of an iteration. */
  readonly iterates: boolean
}

/** A container that replaces an invalid block. */
interface StandIn<K extends BlockKind> {
  /** Returns whether an invalid block has the fields of this container. */
  readonly fits: (draft: JsonObject) => boolean
  readonly make: (id: string, draft: JsonObject, list: (field: ChildField) => Blocks) => Block<K>
}

export interface BlockDefinition<K extends BlockKind> extends BlockTraits {
  readonly shape: (blocks: Shape<Blocks>) => ObjectShapeOf<Block<K>>
  readonly childFields: readonly (ChildField & keyof Block<K>)[]
  /** The substitute for invalid blocks. Absent for kinds without nested blocks. */
  readonly standIn?: StandIn<K>
  readonly emptyList?: (block: Block<K>) => EmptyList | undefined
  readonly apis?: (block: Block<K>) => readonly string[]
  readonly script?: (block: Block<K>) => ScriptTarget | undefined
  readonly assertions?: (block: Block<K>) => readonly LocatedAssertion[]
  /** Returns every interpolated string of the block itself except `id`, `description` and those of the script. */
  readonly strings?: (block: Block<K>) => readonly LiveString[]
}

export const commonFields = <const K extends string>(kind: K) => ({
  id: required(
    string(undefined, { editorPattern: blockIdPattern }),
    "Unique in the workflow, nested blocks included. Later blocks read results by it.",
  ),
  type: required(enumOf(kind), "The kind of the block."),
  description: optional(string(), "Free text, shown in reports and the app."),
})

const operatorSummaries = Object.fromEntries(
  operatorNames.map((name) => [name, operators[name].summary]),
) as Readonly<Record<OperatorName, string>>

const oneAssertion = object(
  {
    source: required(string(), "Path of the value to check, such as `create.response.status`."),
    operator: required(describedEnum(operatorSummaries), "How to compare."),
    value: optional(any, "The value to compare with. Placeholders work at any depth."),
  },
  {
    rule: "requiredWhen",
    field: "value",
    when: "operator",
    isOneOf: comparingOperators,
  },
)

export const assertionShape: typeof oneAssertion = {
  ...oneAssertion,
  onlyOneHint: "a check has one assertion; for several, nest condition blocks or use a script",
}

export const scriptShape = object({
  name: required(string(), "The file `apis/workflow/scripts/<workflow>/<name>.ts`."),
  exportName: required(string(), "The function that the file exports."),
})

export const timeoutField = defaulted(
  milliseconds(true),
  "Time limit of the script, in milliseconds.",
  30_000,
)

/** The script of blocks that replace invalid ones. It is never called. */
export const noScript: ScriptTarget = { name: "nothing", exportName: "nothing" }

export function textStrings(
  texts: Readonly<Record<string, string | undefined>>,
  pointer: JsonPointer = [],
  is: LiveString["is"] = "text",
): readonly LiveString[] {
  const strings: LiveString[] = []
  for (const key of Object.keys(texts)) {
    const text = ownOf(texts, key)
    if (text !== undefined) strings.push({ pointer: [...pointer, key], text, is })
  }
  return strings
}

export const assertionStrings = (
  { source, value }: Partial<Assertion> = {},
  pointer: JsonPointer,
): readonly LiveString[] => [
  ...textStrings({ source }, pointer, "path"),
  ...valueStrings(value, [...pointer, "value"]),
]

/** Returns the strings at any depth of a JSON value for which `isWanted` returns true. */
export function valueStrings(
  value: JsonValue | undefined,
  pointer: JsonPointer,
  isWanted: (text: string) => boolean = () => true,
): readonly LiveString[] {
  const strings: LiveString[] = []
  const work: { value: JsonValue | undefined; place: Place | undefined }[] = [{ value, place: undefined }]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value: here, place } = item
    if (typeof here === "string") {
      if (isWanted(here)) strings.push(liveText(here, pointer, place))
      continue
    }
    const push = (inner: JsonValue, key: string | number): void => {
      // Skips other scalars early, because they make up most of a large value.
      if (typeof inner === "string" || (typeof inner === "object" && inner !== null))
        work.push({ value: inner, place: { key, parent: place } })
    }
    if (isJsonArray(here)) here.forEach(push)
    else if (isJsonObject(here)) for (const [key, inner] of Object.entries(here)) push(inner, key)
  }
  return strings
}

const liveText = (text: string, base: JsonPointer, place: Place | undefined): LiveString => ({
  text,
  is: "text",
  get pointer() {
    return pointerTo(place, base)
  },
})
