// Compares the media types and schemas of two bodies.

import { isJsonObject, memoTexts } from "@callsheet/format"
import { itemSchemasOf } from "../content/stream-schemas.ts"
import type { MediaType } from "../document/content.ts"
import type { Part } from "../document/part.ts"
import type { Collector, Place } from "./collector.ts"

export interface ComparedContent {
  readonly place: Place
  readonly before: readonly MediaType[]
  readonly after: readonly MediaType[]
}

export function compareContent(collector: Collector, { place, before, after }: ComparedContent): void {
  const isRequest = place.side === "request"
  const mediaPlace = { ...place, path: "/headers/content-type" }
  const compared: ComparedPart[] = []
  for (const media of before) {
    const same = findSame(after, media)
    const inside = isRange(media) ? after.find((other) => includes(media, other)) : undefined
    const other = same ?? after.find((one) => includes(one, media)) ?? inside
    if (same === undefined && (other === undefined || other === inside))
      collector.report({
        kind: "media-type-removed",
        facts: { mediaType: media.name },
        // A response of one type in the range is still one that the client knew.
        breaks: isRequest ? "sends" : other === undefined ? "reads" : undefined,
        place: mediaPlace,
        before: pointerOf(media),
      })
    if (other !== undefined) addCompared(compared, media, other)
  }
  for (const media of after)
    if (!before.some((other) => nameOf(other) === nameOf(media) || includes(other, media)))
      collector.report({
        kind: "media-type-added",
        facts: { mediaType: media.name },
        breaks: undefined,
        place: mediaPlace,
        after: pointerOf(media),
      })
  for (const { path, mediaTypes, ...schemas } of compared)
    collector.compare({
      place: { ...place, path: place.path + path },
      before: schemasOf(schemas.before),
      after: schemasOf(schemas.after),
      mediaTypes,
    })
}

/** A part of a body with its schemas, for the media types that have the same ones. */
interface ComparedPart {
  readonly path: string
  readonly before: Part | undefined
  readonly after: Part | undefined
  readonly mediaTypes: string[]
}

/** Groups the media types by their schemas, because many list the same schema several times. */
function addCompared(compared: ComparedPart[], media: MediaType, other: MediaType): void {
  const [old, current] = alignItems(partsOf(media), partsOf(other))
  for (const path of new Set([...old.keys(), ...current.keys()])) {
    const [before, after] = [old.get(path), current.get(path)]
    const known = compared.find(
      (one) => one.path === path && isSameSchema(one.before, before) && isSameSchema(one.after, after),
    )
    if (known === undefined) compared.push({ path, before, after, mediaTypes: [media.name] })
    else known.mediaTypes.push(media.name)
  }
}

type BodyParts = ReadonlyMap<string, Part | undefined>

/** Returns the schemas of a body by what they describe: the body or, in a stream, each item or its data. */
function partsOf(media: MediaType): BodyParts {
  const items = itemSchemasOf(media, media.name) ?? []
  return items.length === 0
    ? new Map([["", media.schema]])
    : new Map(items.map(({ of, schema }) => [of.map((key) => `/${key}`).join(""), schema]))
}

const ITEM = "/*"

/** Lets an array of items be compared with a schema of an item, which documents have from 3.2 on. */
function alignItems(before: BodyParts, after: BodyParts): readonly [BodyParts, BodyParts] {
  if (before.has(ITEM) === after.has(ITEM)) return [before, after]
  const itemsOf = (parts: BodyParts): BodyParts => {
    const items = parts.get("")?.dereference()?.inside("items")
    return items === undefined ? parts : new Map([[ITEM, items]])
  }
  return [itemsOf(before), itemsOf(after)]
}

const isSameSchema = (one: Part | undefined, other: Part | undefined): boolean =>
  one?.dereference()?.value === other?.dereference()?.value

/** Returns the schemas of a body. A binary body is like one without a schema. */
function schemasOf(written: Part | undefined): readonly Part[] {
  const value = written?.dereference()?.value
  if (written === undefined || !isJsonObject(value)) return []
  const isBinary = value["type"] === "file" || (value["type"] === "string" && value["format"] === "binary")
  return isBinary ? [] : [written]
}

const pointerOf = ({ schema, value }: MediaType): string | undefined => (value ?? schema)?.pointer

/** Returns a media type in lower case and without its charset. */
const nameOf = ({ name }: MediaType): string => normalizeName(name)

const normalizeName = memoTexts((name: string) =>
  name
    .toLowerCase()
    .replaceAll(/\s+/g, "")
    .replace(/;charset=[^;]*/, ""),
)

const findSame = (all: readonly MediaType[], media: MediaType): MediaType | undefined =>
  all.find((other) => nameOf(other) === nameOf(media)) ??
  all.find((other) => essenceOf(other) === essenceOf(media) && !hasSeveral(all, media))

const essenceOf = (media: MediaType): string => nameOf(media).split(";")[0] ?? ""

/** Returns whether only a parameter tells the media type apart from others of the list. */
const hasSeveral = (all: readonly MediaType[], media: MediaType): boolean =>
  all.filter((other) => essenceOf(other) === essenceOf(media)).length > 1

const isRange = (media: MediaType): boolean => essenceOf(media).includes("*")

function includes(range: MediaType, media: MediaType): boolean {
  if (!isRange(range)) return false
  const [type = "", subtype = "*"] = essenceOf(range).split("/")
  const [ownType = "", ownSubtype = ""] = essenceOf(media).split("/")
  const isSubtype = subtype === "*" || (subtype.startsWith("*+") && ownSubtype.endsWith(subtype.slice(1)))
  return (type === "*" || type === ownType) && isSubtype
}
