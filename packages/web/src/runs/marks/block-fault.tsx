import type { BlockReport, RunError } from "@callsheet/format"
import type { Fault } from "../../connection/fault-of.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { ProblemList } from "../../files/problem-list.tsx"
import { LongText } from "../../ui/shown-text.tsx"

interface Props {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string }
}

export function BlockFault({ error }: Props) {
  return (
    <div className="block-fault">
      <p>
        <LongText text={error.message} /> <code className="problem-code">{visibleText(error.code)}</code>
      </p>
      {error.hint === undefined ? null : (
        <p className="faint">
          <LongText text={error.hint} />
        </p>
      )}
    </div>
  )
}

/** Returns why a block failed, unless its assertions or the violations beside its response say it, too. */
export const ownError = ({ error, assertions = [], contract }: BlockReport): BlockReport["error"] =>
  (error?.code === "assertion-failed" && assertions.length > 0) ||
  (error?.code === "snapshot-differs" && assertions.length > 0) ||
  (error?.code === "contract-broken" && (contract?.problems ?? []).length > 0)
    ? undefined
    : error

/** The reason why a run couldn't start. Its message repeats the first problem, so it is shown only without problems. */
export function RunFault({ error }: { readonly error: RunError | undefined }) {
  if (error === undefined) return null
  return error.problems.length === 0 ? (
    <BlockFault error={error} />
  ) : (
    <ProblemList problems={error.problems} showsFiles />
  )
}

/** Explains why something couldn't start, next to its button. */
export function FailureLine({ failure }: { readonly failure: Fault | undefined }) {
  return (
    <span className="field-error" role="status">
      {failure === undefined ? null : (
        <>
          <LongText text={failure.message} />{" "}
          {failure.code === undefined ? null : <code>{visibleText(failure.code)}</code>}{" "}
          {failure.hint === undefined ? null : <LongText text={failure.hint} />}
        </>
      )}
    </span>
  )
}
