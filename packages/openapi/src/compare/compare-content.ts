// Compares the media types and schemas of two bodies.

import { isJsonObject, memoTexts } from "@callsheet/format"
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
  const compared = new Map<Part | undefined, Map<Part | undefined, string[]>>()
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
  for (const [one, others] of compared)
    for (const [other, mediaTypes] of others)
      collector.compare({ place, before: schemasOf(one), after: schemasOf(other), mediaTypes })
}

/** Groups the media types by their schemas, because many list the same schema several times. */
function addCompared(
  compared: Map<Part | undefined, Map<Part | undefined, string[]>>,
  before: MediaType,
  after: MediaType,
): void {
  const one = [...compared.keys()].find((part) => isSameSchema(part, before.schema)) ?? before.schema
  const others = compared.get(one) ?? new Map<Part | undefined, string[]>()
  compared.set(one, others)
  const other = [...others.keys()].find((part) => isSameSchema(part, after.schema)) ?? after.schema
  others.set(other, [...(others.get(other) ?? []), before.name])
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
