// What an import or an export loses: causes with their severity, and groups of losses for people who read them.

import { getOrCreate } from "@callsheet/format"

/**
 * The severities, most important first. `changes-results`: something else is sent or checked than in the source.
 * `needs-hand`: the user has to finish it. `information`: it has no effect on requests or checks.
 */
export const severities = ["changes-results", "needs-hand", "information"] as const
export type Severity = (typeof severities)[number]

/** The severity of a cause, and the group in which its losses are listed: a plural such as `saved responses`. */
type Cause = readonly [severity: Severity, group: string]

/** Why something is lost. */
export interface Reason {
  readonly severity: Severity
  readonly group: string
  /** Never contains a value. */
  readonly message: string
}

/** A loss as users and programs see it. */
export interface ReportedLoss {
  /** The file as given, then the names of the item: `shop.json: Orders / Create order`. */
  readonly where: string
  /** The lost part, such as `header X-Id`. */
  readonly what: string
  readonly reason: string
  readonly group: string
  readonly severity: Severity
}

type Texts<T> = { readonly [K in keyof T]: (...facts: never[]) => string }
type Reasons<T extends Texts<T>> = { readonly [K in keyof T]: (...facts: Parameters<T[K]>) => Reason }

/** Joins the texts of reasons with their causes. A text without a cause doesn't type-check. */
export const defineReasons = <T extends Texts<T>>(
  texts: T,
  causes: { readonly [K in keyof T]: Cause },
): Reasons<T> => {
  const known = new Map(Object.entries<Cause>(causes))
  const joined = Object.entries<(...facts: never[]) => string>(texts).map(([name, text]) => {
    const [severity, group] = known.get(name) ?? ["changes-results", "others"]
    return [name, (...facts: never[]): Reason => ({ severity, group, message: text(...facts) })] as const
  })
  const reasons: Partial<Reasons<T>> = {}
  Object.assign(reasons, Object.fromEntries(joined))
  return reasons as Reasons<T>
}

/** Returns whether an import or an export has to be looked at, so that its command exits with 1. */
export const needAttention = (losses: readonly ReportedLoss[]): boolean =>
  losses.some(({ severity }) => severity !== "information")

/** The losses that have a cause in common. */
export interface LossGroup {
  readonly severity: Severity
  readonly group: string
  /** The reason, if all losses have the same. */
  readonly reason: string | undefined
  readonly losses: readonly ReportedLoss[]
}

/** Groups losses by their cause: by severity, then the largest group first. Losses keep their order. */
export function groupLosses(losses: readonly ReportedLoss[]): readonly LossGroup[] {
  const groups = new Map<string, ReportedLoss[]>()
  for (const loss of losses)
    getOrCreate(groups, `${loss.severity} ${loss.group}`, (): ReportedLoss[] => []).push(loss)
  return [...groups.values()]
    .flatMap(groupOf)
    .sort(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.losses.length - a.losses.length,
    )
}

function groupOf(losses: readonly ReportedLoss[]): readonly LossGroup[] {
  const [first] = losses
  if (first === undefined) return []
  const { severity, group, reason } = first
  const isShared = losses.every((loss) => loss.reason === reason)
  return [{ severity, group, reason: isShared ? reason : undefined, losses }]
}
