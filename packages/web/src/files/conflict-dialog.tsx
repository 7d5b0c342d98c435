// Shows both versions of a file that changed on disk during editing. The user can merge them.

import { useMemo, useState, useId } from "react"
import { Dialog } from "../ui/dialog.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText, visibleLines } from "../ui/visible-text.ts"
import { differenceOf } from "./text/diff-rows.ts"
import { chooseHunks, mergeFiles, ownHunks } from "./text/merge-texts.ts"
import { discardDraft, keepMine, mergeFile } from "./open-files.ts"
import { formatProblems } from "./problem-tracker.ts"
import { TextDiff } from "./text-diff.tsx"
import { count } from "../ui/formats.ts"
import type { Conflict, OpenFile } from "./file-state.ts"

interface Props {
  readonly file: OpenFile
  readonly conflict: Conflict
  readonly onClose: () => void
}

/** The maximum number of differences to review one by one. */
const MAX_HUNKS = 200

export function ConflictDialog({ file: { name, path, text }, conflict: { theirs, base }, onClose }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const merged = useMemo(
    () =>
      theirs === null || base === undefined
        ? undefined
        : mergeFiles({ base, mine: text, theirs: theirs.text }, (merged) =>
            formatProblems(name, path, merged),
          ),
    [theirs, base, text, path],
  )
  const closeThen = (does: () => unknown) => () => {
    onClose()
    does()
  }
  return (
    <Dialog label={`Conflict in ${visibleText(path)}`} className="dialog-conflict" isForm onClose={onClose}>
      <h2>
        <ShownText text={path} /> {theirs === null ? "was deleted" : "changed"} on disk since you started
        editing
      </h2>
      {isChoosing && theirs !== null ? (
        <Choosing
          key={theirs.etag}
          theirs={theirs.text}
          mine={text}
          base={base}
          onBack={() => setChoosing(false)}
          onDone={(both) => closeThen(() => mergeFile(name, both))()}
        />
      ) : (
        <>
          <Words isDeleted={theirs === null} isMerged={merged !== undefined} />
          <TextDiff before={theirs?.text ?? ""} after={text} label="the version on disk and yours" />
          <div className="conflict-buttons">
            <button type="button" className="button" data-first="" onClick={onClose}>
              Decide later
            </button>
            <span className="conflict-space" />
            {theirs === null ? null : merged !== undefined && merged !== text && merged !== theirs.text ? (
              <button type="button" className="button" onClick={closeThen(() => mergeFile(name, merged))}>
                Merge both
              </button>
            ) : (
              <ChooseButton mine={text} theirs={theirs.text} onPress={() => setChoosing(true)} />
            )}
            <button type="button" className="button" onClick={closeThen(() => discardDraft(name))}>
              {theirs === null ? "Keep it deleted" : "Take theirs"}
            </button>
            <button type="button" className="button" onClick={closeThen(() => void keepMine(name))}>
              {theirs === null ? "Save mine anyway" : "Overwrite with mine"}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Words({ isDeleted, isMerged }: { readonly isDeleted: boolean; readonly isMerged: boolean }) {
  return (
    <p className="section-words">
      {isDeleted ? (
        "The file no longer exists. Your version is below."
      ) : (
        <>
          Below, <del className="diff-key">−</del> is the version on disk and{" "}
          <ins className="diff-key">+</ins> is yours.{" "}
          {isMerged ? "The changes don't overlap, so both can be kept." : ""}
        </>
      )}{" "}
      Nothing is lost: after {isDeleted ? "Keep it deleted" : "Take theirs"}, one Undo restores your text.
    </p>
  )
}

interface ChooseProps {
  readonly mine: string
  readonly theirs: string
  readonly onPress: () => void
}

function ChooseButton({ mine, theirs, onPress }: ChooseProps) {
  const places = useMemo(() => differenceOf(theirs, mine).hunks.length, [mine, theirs])
  if (places < 2 || places > MAX_HUNKS) return null
  return (
    <button type="button" className="button" onClick={onPress}>
      Choose change by change…
    </button>
  )
}

interface ChoosingProps {
  readonly mine: string
  readonly theirs: string
  /** The text from which both were changed. */
  readonly base: string | undefined
  readonly onBack: () => void
  readonly onDone: (text: string) => void
}

function Choosing({ mine, theirs, base, onBack, onDone }: ChoosingProps) {
  const difference = useMemo(() => differenceOf(theirs, mine), [theirs, mine])
  const [chosen, setChosen] = useState(() => ownHunks(difference, base))
  const { before, after, hunks } = difference
  return (
    <>
      <p className="section-words">
        {count(hunks.length, "difference")}. Choose a version for each. The result is not saved yet.
      </p>
      <div className="hunks" tabIndex={0} role="group" aria-label="Differences">
        {hunks.map((hunk, index) => (
          <HunkChoice
            key={index}
            number={index + 1}
            theirs={before.slice(hunk.before.from, hunk.before.to)}
            mine={after.slice(hunk.after.from, hunk.after.to)}
            isMine={chosen.has(index)}
            onChoose={(isMine) => {
              const next = new Set(chosen)
              if (isMine) next.add(index)
              else next.delete(index)
              setChosen(next)
            }}
          />
        ))}
      </div>
      <div className="conflict-buttons">
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
        <span className="conflict-space" />
        <button
          type="button"
          className="button"
          onClick={() => onDone(chooseHunks(before, after, { hunks, chosen }))}
        >
          Use this
        </button>
      </div>
    </>
  )
}

interface HunkChoiceProps {
  readonly number: number
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  readonly isMine: boolean
  readonly onChoose: (isMine: boolean) => void
}

/** A difference between two versions of a file, and the choice between them. */
function HunkChoice({ number, theirs, mine, isMine, onChoose }: HunkChoiceProps) {
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
