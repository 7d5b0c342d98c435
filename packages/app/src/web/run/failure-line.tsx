// Why something could not be started, beside its button.

import type { CallFailure } from "../../api.ts"
import { LongText } from "../text/long-text.tsx"
import { visibleText } from "../text/visible-text.ts"

export function FailureLine({ failure }: { readonly failure: CallFailure | undefined }) {
  return (
    <span className="field-error" role="status">
      {failure === undefined ? null : (
        <>
          <LongText text={failure.message} /> <code>{visibleText(failure.code)}</code>{" "}
          {failure.hint === undefined ? null : <LongText text={failure.hint} />}
        </>
      )}
    </span>
  )
}
