// The preview of an import: what becomes of the requests, the files, and everything that isn't carried over whole.

import { useEffect, useRef } from "react"
import type { ImportPlan } from "@callsheet/server/calls"
import { CopyButton } from "../parts/copy-button.tsx"
import { CheckField } from "../parts/form-fields.tsx"
import { count } from "../text/count.ts"
import { LongText } from "../text/long-text.tsx"

const MAX_SHOWN = 500

interface Props {
  readonly plan: ImportPlan
  /** True if the user agreed to overwrite files. */
  readonly mayReplace: boolean
  readonly onReplace: (mayReplace: boolean) => void
}

export function ImportPreview({ plan, mayReplace, onReplace }: Props) {
  const view = useRef<HTMLDivElement>(null)
  // The button must not have the focus: a key that is still down would apply the change.
  useEffect(() => view.current?.focus(), [])
  return (
    <div ref={view} className="plan" role="group" aria-label="Preview" tabIndex={-1}>
      <p className="plan-count">{summaryOf(plan)}</p>
      <Losses losses={plan.losses} />
      {plan.unset.length === 0 ? null : (
        <p>
          Set a value for {count(plan.unset.length, "variable")} before you send:{" "}
          <LongText text={plan.unset.join(", ")} />
        </p>
      )}
      {plan.replaced.length === 0 ? null : (
        <section className="field-group" aria-label="Files to replace">
          <p className="field-error">
            {count(plan.replaced.length, "file already exists", "files already exist")} with other content:
          </p>
          <ShortList label="Files that exist" lines={plan.replaced} />
          <CheckField
            label={`Replace ${plan.replaced.length === 1 ? "this file" : `these ${count(plan.replaced.length, "file")}`}`}
            note="Their current content is lost unless it is committed."
            isOn={mayReplace}
            onChange={onReplace}
          />
        </section>
      )}
      {plan.files.length === 0 ? (
        <p>The project already has these files. Nothing changes.</p>
      ) : (
        <details className="plan-file" open={plan.files.length <= 12}>
          <summary>{count(plan.files.length, "file")} will be written</summary>
          <ShortList label="Files" lines={plan.files} />
        </details>
      )}
    </div>
  )
}

function summaryOf({ source, api, requests, operations, saved, workflows }: ImportPlan): string {
  if (source === "openapi") return `Adds the API ${api} with its document and environments.`
  const parts = [
    operations === 0 ? undefined : `${count(operations, "call")} of operations`,
    saved === 0 ? undefined : count(saved, "saved request"),
    workflows.length === 0 ? undefined : count(workflows.length, "workflow"),
  ].filter((part) => part !== undefined)
  return `${count(requests, "request")} of the API ${api}: ${parts.length === 0 ? "nothing to carry over" : parts.join(", ")}.`
}

function Losses({ losses }: Pick<ImportPlan, "losses">) {
  if (losses.length === 0) return <p>Everything is carried over.</p>
  const lines = losses.map(({ where, what, reason }) => `${where}: ${what}: ${reason}`)
  return (
    <details className="plan-file" open>
      <summary>{count(lines.length, "item")} can't be carried over whole</summary>
      <ShortList label="Not carried over whole" lines={lines} />
      <CopyButton text={lines.join("\n")} what="list" />
    </details>
  )
}

function ShortList({ label, lines }: { readonly label: string; readonly lines: readonly string[] }) {
  const rest = lines.length - MAX_SHOWN
  return (
    <ul className="plan-names" aria-label={label} tabIndex={0}>
      {lines.slice(0, MAX_SHOWN).map((line, index) => (
        <li key={index}>
          <LongText text={line} />
        </li>
      ))}
      {rest > 0 ? <li>and {rest.toLocaleString("en")} more</li> : null}
    </ul>
  )
}
