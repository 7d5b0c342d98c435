// A difference between two versions of a file, and the choice between them.

import { useId } from "react"
import { visibleLines } from "../ui/visible-text.ts"

interface Props {
  readonly number: number
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  readonly isMine: boolean
  readonly onChoose: (isMine: boolean) => void
}

export function HunkChoice({ number, theirs, mine, isMine, onChoose }: Props) {
  const name = useId()
  return (
    <fieldset className="hunk">
      <legend>Difference {number}</legend>
      <label className={`hunk-side ${isMine ? "" : "hunk-chosen"}`}>
        <input type="radio" name={name} checked={!isMine} onChange={() => onChoose(false)} />
        <span>On disk</span>
        <Lines lines={theirs} />
      </label>
      <label className={`hunk-side ${isMine ? "hunk-chosen" : ""}`}>
        <input type="radio" name={name} checked={isMine} onChange={() => onChoose(true)} />
        <span>Yours</span>
        <Lines lines={mine} />
      </label>
    </fieldset>
  )
}

const MAX_SHOWN = 40

function Lines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <em className="faint">nothing</em>
  const rest = lines.length - MAX_SHOWN
  return (
    <code className="hunk-lines">
      {visibleLines(lines.slice(0, MAX_SHOWN).join("").slice(0, 8000))}
      {rest > 0 ? `\n… and ${rest} more` : ""}
    </code>
  )
}
