// The types of the paths and values in a workflow, by the rules of `validate`.

import {
  parseTemplateOnce,
  unknownType,
  walkBlocks,
  type JsonPointer,
  type JsonValue,
  type ValueType,
  type Visit,
} from "@callsheet/format"
import { scriptsGround, type ScriptsRequest } from "../script-types/scripts-ground.ts"
import { readingAt } from "../types/static-scope.ts"

/** A place in a block: the block's pointer, and the path from the block. */
export interface TypedPlace {
  readonly block: JsonPointer
  readonly field: JsonPointer
}

export interface PathTypes {
  /** Returns the type of a path, or of the text in a placeholder. Unknown if it can't be resolved. */
  readonly ofPath: (text: string, place: TypedPlace) => ValueType
  readonly ofValue: (value: JsonValue, place: TypedPlace) => ValueType
}

/** Returns undefined if the workflow has no list of blocks. */
export function pathTypes(request: ScriptsRequest): PathTypes | undefined {
  const ground = scriptsGround(request)
  if (ground === undefined) return undefined
  const { readable, scope } = ground
  const visitOf = (block: JsonPointer): Visit | undefined => {
    for (const visit of walkBlocks(readable.workflow.blocks)) if (isSame(visit.pointer(), block)) return visit
    return undefined
  }
  return {
    ofPath: (text, { block, field }) => {
      const visit = visitOf(block)
      const template = parseTemplateOnce(text)
      if (visit === undefined || !template.ok) return unknownType
      return scope.resolveToken(template.parts, readingAt(visit, field)).type
    },
    ofValue: (value, { block, field }) => {
      const visit = visitOf(block)
      return visit === undefined ? unknownType : scope.typeOf(value, readingAt(visit, field))
    },
  }
}

const isSame = (one: JsonPointer, other: JsonPointer): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index])
