import { LongText } from "../text/long-text.tsx"
import { visibleText } from "../text/visible-text.ts"

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
