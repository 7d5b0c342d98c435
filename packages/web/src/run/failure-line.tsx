// Explains why something couldn't start, next to its button.

import type { Fault } from "../connection/fault-of.ts"
import { LongText } from "../text/long-text.tsx"
import { visibleText } from "../text/visible-text.ts"

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
