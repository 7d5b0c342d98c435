// What an import doesn't carry over whole: grouped by cause, the most important first.

import type { ImportPreview, LossGroupView, LossView } from "@callsheet/server/calls"
import { NameList } from "../../files/preview.tsx"
import { CopyButton } from "../../ui/copy-button.tsx"
import { count } from "../../ui/formats.ts"
import { LongText } from "../../ui/shown-text.tsx"

const severityTitles: { readonly [S in LossView["severity"]]: string } = {
  "changes-results": "Changes results",
  "needs-hand": "Needs a hand",
  information: "Only disappears",
}

/** A list that fits without scrolling is shown whole. */
const MAX_OPEN = 12

export function LossList({ losses, lossGroups }: Pick<ImportPreview, "losses" | "lossGroups">) {
  if (losses.length === 0) return <p>Everything is imported completely.</p>
  const severities = [...new Set(lossGroups.map(({ severity }) => severity))]
  const lines = lossGroups.flatMap((group) => losses.filter((loss) => isOf(loss, group)).map(wholeLine))
  return (
    <section className="loss-list" aria-label="Not imported completely">
      <p>
        {count(losses.length, "item is", "items are")} not imported completely{" "}
        <CopyButton text={lines.join("\n")} what="list" />
      </p>
      {severities.map((severity) => (
        <section key={severity} aria-label={severityTitles[severity]}>
          <h3>{severityTitles[severity]}</h3>
          {lossGroups
            .filter((group) => group.severity === severity)
            .map((group) => (
              <LossGroup
                key={group.group}
                group={group}
                losses={losses.filter((loss) => isOf(loss, group))}
                isOpen={losses.length <= MAX_OPEN}
              />
            ))}
        </section>
      ))}
    </section>
  )
}

interface GroupProps {
  readonly group: LossGroupView
  readonly losses: readonly LossView[]
  readonly isOpen?: boolean
}

export function LossGroup({ group: { group, reason, count: number }, losses, isOpen = false }: GroupProps) {
  const lines = losses.map((loss) => (reason === undefined ? wholeLine(loss) : `${loss.where}: ${loss.what}`))
  return (
    <details className="plan-file plan-group" open={isOpen}>
      <summary>
        {group} ({number.toLocaleString("en")})
      </summary>
      {reason === undefined ? null : (
        <p className="loss-reason">
          <LongText text={reason} />
        </p>
      )}
      <NameList label={group} names={lines} />
    </details>
  )
}

export const isOf = (loss: LossView, { group, severity }: LossGroupView): boolean =>
  loss.group === group && loss.severity === severity

const wholeLine = ({ where, what, reason }: LossView): string => `${where}: ${what}: ${reason}`
