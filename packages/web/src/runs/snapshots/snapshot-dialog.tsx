// Accepts differences between responses and their snapshots, one by one or all.

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { SnapshotDifferenceView, SnapshotView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { readFaultOf } from "../../connection/fault-of.ts"
import { queryClient } from "../../connection/query-client.ts"
import { PlanDialog } from "../../files/plan-dialog.tsx"
import { LoadingDialog } from "../../ui/dialog.tsx"
import { CheckField } from "../../ui/form-fields.tsx"
import { count } from "../../ui/formats.ts"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"

interface Props {
  readonly run: string
  /** Limits the list to the snapshots of a block. */
  readonly block: string | undefined
  readonly onClose: () => void
}

export function SnapshotDialog({ run, block, onClose }: Props) {
  const { data, error } = useQuery({
    queryKey: ["snapshots", run],
    queryFn: () => call("snapshots.read", { run }),
    gcTime: 0,
    staleTime: 0,
  })
  if (data === undefined && error === null) return <LoadingDialog onClose={onClose} />
  const files = (data?.files ?? []).filter((file) => block === undefined || file.block === block)
  if (files.length > 0) return <AcceptDialog run={run} files={files} onClose={onClose} />
  const words =
    error !== null
      ? readFaultOf(error)
      : data.isKept
        ? "The snapshots are the same as the responses of this run."
        : "The app no longer has the responses of this run. Run it again, then accept the changes."
  return (
    <PlanDialog
      title="Accept changes"
      verb="Accept"
      plan={undefined}
      missing={words}
      isHarmless
      done=""
      onDone={async () => undefined}
      onClose={onClose}
    >
      <p>
        <LongText text={words} />
      </p>
    </PlanDialog>
  )
}

/** The keys that aren't accepted, by file. A new snapshot has the key "". */
type Refused = ReadonlyMap<string, ReadonlySet<string>>

interface AcceptProps extends Pick<Props, "run" | "onClose"> {
  readonly files: readonly SnapshotView[]
}

function AcceptDialog({ run, files, onClose }: AcceptProps) {
  const [refused, setRefused] = useState<Refused>(new Map())
  const [asNoise, setAsNoise] = useState(false)
  const accepted = files.flatMap((file) => acceptedIn(file, refused.get(file.file)))
  const mayBeNoise = files.some(({ differences }) => differences.some((one) => one.mayBecomeNoise))
  return (
    <PlanDialog
      title="Accept changes"
      verb="Accept"
      plan={
        accepted.length === 0
          ? undefined
          : () => call("snapshots.plan", { run, files: accepted, asNoise: asNoise && mayBeNoise })
      }
      missing="Select a change first."
      isHarmless
      done="Accepted. The next run compares with the new snapshots."
      onDone={() => queryClient.invalidateQueries()}
      onClose={onClose}
    >
      <p>Select what changed on purpose. callsheet writes it to the snapshots, which you commit.</p>
      {files.map((file) => (
        <FileChoice
          key={file.file}
          file={file}
          refused={refused.get(file.file) ?? none}
          onChange={(keys) => setRefused(new Map(refused).set(file.file, keys))}
        />
      ))}
      {mayBeNoise ? (
        <CheckField
          label="These values differ in every run"
          note="Their places are stored as noise, as --snapshots update does: callsheet no longer compares them, but notices a changed type or a vanished field."
          isOn={asNoise}
          onChange={setAsNoise}
        />
      ) : null}
    </PlanDialog>
  )
}

const none: ReadonlySet<string> = new Set()

const keysOf = ({ isNew, differences }: SnapshotView): readonly string[] =>
  isNew === true ? [""] : differences.map(({ key }) => key)

/** Returns what to accept of a file. Without a refused difference, all of it, also what isn't listed. */
function acceptedIn(file: SnapshotView, refused: ReadonlySet<string> = none) {
  const keys = keysOf(file).filter((key) => !refused.has(key))
  if (keys.length === 0) return []
  return refused.size === 0 ? [{ file: file.file }] : [{ file: file.file, keys }]
}

interface FileProps {
  readonly file: SnapshotView
  readonly refused: ReadonlySet<string>
  readonly onChange: (refused: ReadonlySet<string>) => void
}

function FileChoice({ file: view, refused, onChange }: FileProps) {
  const { file, block, isNew, differences, omitted } = view
  const keys = keysOf(view)
  const toggle = (key: string): void => {
    const next = new Set(refused)
    if (!next.delete(key)) next.add(key)
    onChange(next)
  }
  return (
    <fieldset className="snapshot-file">
      <legend>
        <label>
          <input
            type="checkbox"
            checked={refused.size < keys.length}
            ref={(box) => {
              if (box !== null) box.indeterminate = refused.size > 0 && refused.size < keys.length
            }}
            onChange={() => onChange(refused.size === 0 ? new Set(keys) : none)}
          />{" "}
          <ShownText text={block} />
        </label>{" "}
        <code className="faint wrap">
          <ShownText text={file} />
        </code>
      </legend>
      {isNew === true ? <p className="faint">No snapshot yet. Stores the whole response.</p> : null}
      <ul className="snapshot-changes">
        {differences.map((one) => (
          <li key={one.key}>
            <Difference view={one} isOn={!refused.has(one.key)} onToggle={() => toggle(one.key)} />
          </li>
        ))}
      </ul>
      {omitted === 0 ? null : (
        <p className="faint">
          {count(omitted, "more difference")}, accepted only if everything in this file is selected.
        </p>
      )}
    </fieldset>
  )
}

interface DifferenceProps {
  readonly view: SnapshotDifferenceView
  readonly isOn: boolean
  readonly onToggle: () => void
}

function Difference({ view: { path, before, after }, isOn, onToggle }: DifferenceProps) {
  return (
    <>
      <label className="snapshot-path">
        <input type="checkbox" checked={isOn} onChange={onToggle} />{" "}
        <code className="wrap">{visibleText(path)}</code>
      </label>
      <span className="snapshot-values">
        <Value name="was" text={before} className="difference-received" />
        <Value name="is now" text={after} className="difference-expected" />
      </span>
    </>
  )
}

interface ValueProps {
  readonly name: string
  readonly text: string | undefined
  readonly className: string
}

const Value = ({ name, text, className }: ValueProps) => (
  <span>
    <span className="faint">{name}</span>{" "}
    {text === undefined ? (
      <span className="faint">nothing</span>
    ) : (
      <code className={`wrap ${className}`}>
        <LongText text={text} />
      </code>
    )}
  </span>
)
