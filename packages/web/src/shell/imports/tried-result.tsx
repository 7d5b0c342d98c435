// The response to a request without a file, and what to do with it.

import { useEffect, useState } from "react"
import { isJsonObject, ownOf, type RunReport } from "@callsheet/format"
import { SentResult } from "../../runs/send-part.tsx"
import { useRuns, watchRun } from "../../connection/run-store.ts"
import { stopRun, useChosenRun, useStart } from "../../runs/state/starts.ts"
import { LongText } from "../../ui/shown-text.tsx"
import { SaveTriedDialog } from "./save-tried-dialog.tsx"
import { showImport } from "./import-state.ts"
import { urlOf } from "./start-text.ts"
import { tryKey, useTrying } from "./try-request.ts"

export function TriedResult() {
  const { sent, losses } = useTrying()
  const { failure } = useStart(tryKey)
  const run = useChosenRun(tryKey)?.run
  const known = useRuns((runs) => (run === undefined ? undefined : ownOf(runs, run)))
  const [isSaving, setSaving] = useState(false)
  useEffect(() => watchRun(run), [run])
  useEffect(() => () => watchRun(undefined), [])
  if (run === undefined && failure === undefined) return null
  const isDone = known?.isDone === true
  const address = sent === undefined ? undefined : urlOf(sent)
  return (
    <div className="tried">
      {run === undefined || sent === undefined ? null : (
        <div className="tried-actions">
          {isDone ? (
            <button type="button" className="button" onClick={() => setSaving(true)}>
              Save request…
            </button>
          ) : (
            <button type="button" className="button" onClick={() => void stopRun(run)}>
              Cancel
            </button>
          )}
          {address !== undefined && isDone && isDocument(known.report?.run) ? (
            <button type="button" className="button" onClick={() => showImport("document", { address })}>
              Add this OpenAPI document…
            </button>
          ) : null}
        </div>
      )}
      {losses.length === 0 ? null : (
        <ul className="tried-losses" aria-label="Not sent as in the command">
          {losses.map(({ what, reason }, index) => (
            <li key={index}>
              <LongText text={`${what}: ${reason}`} />
            </li>
          ))}
        </ul>
      )}
      <SentResult sending={{ run, known, failure }} sent={undefined} />
      {isSaving && sent !== undefined && run !== undefined ? (
        <SaveTriedDialog text={sent} run={run} onClose={() => setSaving(false)} />
      ) : null}
    </div>
  )
}

/** Returns whether the response is an OpenAPI document, so that the user can add it. */
function isDocument(run: RunReport | undefined): boolean {
  const body = run?.blocks[0]?.response?.body
  if (typeof body === "string") return /^["']?(?:openapi|swagger)["']?:/m.test(body.slice(0, 2000))
  return isJsonObject(body) && (ownOf(body, "openapi") ?? ownOf(body, "swagger")) !== undefined
}
