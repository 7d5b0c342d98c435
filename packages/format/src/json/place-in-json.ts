// Where a pointer leads in a well-formed JSON text: without a look into what stands beside the way.

import type { JsonPointer } from "./pointer.ts"
import { findMember, readContainer, type Container, type Member, type MemberStart } from "./members.ts"
import { skipBlanks } from "./scan.ts"

/** A member, or the place where one would be, in the container that holds it. */
export interface Place {
  readonly container: Container
  readonly index: number
  readonly member: Member | undefined
}

/** Undefined where a container on the way is not there. */
export function placeOf(body: string, pointer: JsonPointer): Place | undefined {
  const last = pointer.at(-1)
  if (last === undefined) throw new Error("an edit of a JSON text needs a way to a member")
  let open = skipBlanks(body, 0)
  for (const step of pointer.slice(0, -1)) {
    const inner = memberStart(body, open, step)
    if (inner === undefined) return undefined
    open = inner.valueAt
  }
  const container = containerFor(body, open, last)
  const index = typeof last === "number" ? last : container.members.findIndex(({ key }) => key === last)
  return { container, index, member: container.members[index] }
}

/** Where the member of one step starts; throws where no container of its kind stands. */
export function memberStart(body: string, open: number, step: string | number): MemberStart | undefined {
  if (body[open] !== (typeof step === "number" ? "[" : "{")) throw noPlace(step)
  return findMember(body, open, step)
}

/** The array at a pointer, and where what holds it starts; throws where there is none. */
export function arrayAt(
  body: string,
  pointer: JsonPointer,
): { container: Container; ownerAt: number | undefined } {
  const owner = pointer.length === 0 ? undefined : placeOf(body, pointer)?.member
  const container = readContainer(body, owner?.valueAt ?? skipBlanks(body, 0))
  if ((pointer.length > 0 && owner === undefined) || container?.isArray !== true) throw noPlace(0)
  return { container, ownerAt: owner?.at }
}

/** The container that has members of this kind of step; throws where there is none. */
export function containerFor(body: string, open: number, step: string | number): Container {
  const container = readContainer(body, open)
  if (container === undefined || container.isArray !== (typeof step === "number")) throw noPlace(step)
  return container
}

/** What is thrown where a step leads nowhere. */
export const noPlace = (step: string | number): Error =>
  new Error(
    typeof step === "string"
      ? `there is no object to hold the key ${JSON.stringify(step)}`
      : `there is no array to hold the item ${step}`,
  )
