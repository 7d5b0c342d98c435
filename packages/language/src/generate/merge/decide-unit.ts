// The three-way rule: what becomes of one block, field or file that was generated before, edited by hand, and generated
// again.

/** Digests of the three versions. Undefined where the version doesn't have the unit. */
export interface Versions {
  /** As generated the last time. */
  readonly base: string | undefined
  /** As it is in the project now. */
  readonly current: string | undefined
  /** As generated now. */
  readonly next: string | undefined
}

export type Verdict =
  /** Write what was generated now, or remove the unit if nothing was. */
  | "take"
  /** Leave the project as it is. */
  | "keep"
  /** The project and the document changed it in different ways. The project's version stays. */
  | "conflict"

export function decideUnit({ base, current, next }: Versions): Verdict {
  if (current === next) return "keep"
  if (current === base) return "take"
  // A person's edit stays while nothing else is generated, and so does what a person deleted.
  return next === base || current === undefined ? "keep" : "conflict"
}

/** Returns what to remember of a unit for the next time. Undefined if there is nothing to remember. */
export function rememberUnit(versions: Versions): string | undefined {
  // A conflict is reported until it is solved.
  return decideUnit(versions) === "conflict" ? versions.base : versions.next
}
