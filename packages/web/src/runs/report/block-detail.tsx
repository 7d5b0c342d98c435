// The details of a block: error, assertions, request and response, outputs, and logs.

import { SquarePen } from "lucide-react"
import { useMemo } from "react"
import {
  isJsonObject,
  rawBlocks,
  type BlockReport,
  type RequestView,
  type IterationReport,
  type JsonObject,
} from "@callsheet/format"
import { useOpenFile } from "../../files/open-files.ts"
import { SaveSentRequest } from "../save/save-sent-request.tsx"
import { count, duration } from "../../ui/formats.ts"
import { later } from "../../ui/later.tsx"
import type { Tool } from "../../ui/toolbar.tsx"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { ValueSourceProvider } from "../../kinds/values/value-button.tsx"
import { AssertionList } from "./assertion-list.tsx"
import { BlockFault, ownError } from "../marks/block-fault.tsx"
import { BodyViewer } from "../response/body-viewer.tsx"
import { ComparePassing } from "./compare-passing.tsx"
import { ExchangeView } from "../response/exchange-view.tsx"
import { ReadExchange } from "./read-exchange.tsx"
import type { ReportRow } from "./report-rows.ts"
import { RunBlockActions } from "./run-block-actions.tsx"
import { SnapshotFault } from "./snapshot-notice.tsx"
import { TickBar } from "../ticks/tick-bar.tsx"
import { usePlaceAfter, type TickPlace } from "../ticks/tick-place.ts"
import { useTicks } from "../ticks/use-ticks.ts"

const [RichText] = later(async () => (await import("../../ui/rich-text.tsx")).RichText, LongText)

const noHeaders = {}

const skipped = {
  branch: "Skipped: it is in a branch that was not taken.",
  halted: "Skipped: an earlier block failed.",
  cancelled: "Skipped: the run stopped before this block.",
  untranslated: "Skipped: the imported script is not translated yet.",
} as const

function reasonWords({ reason, durationMs, request }: BlockReport): string | undefined {
  const isBegun = durationMs > 0 || request !== undefined
  if (reason === "cancelled" && isBegun) return "Not finished: the run stopped while this block was running."
  return reason === undefined ? undefined : skipped[reason]
}

interface Props {
  readonly row: ReportRow
  readonly workflow: string
  /** The block's id in the file. Absent if the file no longer contains the block. */
  readonly written: string | undefined
  /** Goes to the block in the editor. Absent in the editor itself. */
  readonly onGoToBlock?: ((block: string) => void) | undefined
}

export function BlockDetail({ row, workflow, written, onGoToBlock }: Props) {
  const { block, status, label } = row
  const source = useMemo(
    () => (written === undefined ? undefined : { workflow, block: written, steps: [] }),
    [workflow, written],
  )
  return (
    <section className="block-detail" aria-label="Selected block">
      <header className="block-head">
        <h3>
          <ShownText text={block === undefined ? `Iteration ${label}` : label} />
        </h3>
        <p className="faint">
          {block?.type} {status}
          {block === undefined || status === "running" || status === "skipped"
            ? ""
            : ` in ${duration(block.durationMs)}`}
        </p>
        {written === undefined ? null : (
          <RunBlockActions
            workflow={workflow}
            block={written}
            more={onGoToBlock === undefined ? [] : [goToTool(() => onGoToBlock(written))]}
          >
            {status === "failed" && block !== undefined ? (
              <ComparePassing workflow={workflow} block={block.id} />
            ) : null}
          </RunBlockActions>
        )}
      </header>
      {block?.description === undefined ? null : (
        <div className="block-description">
          <RichText text={block.description} />
        </div>
      )}
      <ValueSourceProvider value={source}>
        {block === undefined ? null : <BlockParts block={block} workflow={workflow} written={written} />}
      </ValueSourceProvider>
    </section>
  )
}

const goToTool = (does: () => void): Tool => ({
  label: "Go to block",
  title: "Go to the block in the editor",
  icon: <SquarePen aria-hidden="true" />,
  does,
})

interface PartsProps extends Pick<Props, "workflow" | "written"> {
  readonly block: BlockReport
  /** True if the page offers to assert the status in another way. */
  readonly isStatusOffered?: boolean
}

export function BlockParts({ block, workflow, written, isStatusOffered }: PartsProps) {
  const { assertions = [], outputs, logs = [], iterations } = block
  const error = ownError(block)
  const reason = reasonWords(block)
  const place = usePlaceAfter(workflow, written, isStatusOffered)
  return (
    <>
      {reason === undefined ? null : <p className="block-description">{reason}</p>}
      {error === undefined ? null : <BlockFault error={error} />}
      <SnapshotFault block={block} />
      {iterations === undefined ? null : <IterationCounts iterations={iterations} />}
      {assertions.length === 0 ? null : <AssertionList assertions={assertions} />}
      <ReadExchange block={block} workflow={workflow} />
      {block.request === undefined ? null : (
        <ExchangeView
          block={block}
          place={place}
          actions={<SaveSent sent={block.request} workflow={workflow} written={written} />}
        />
      )}
      {outputs === undefined || Object.keys(outputs).length === 0 ? null : (
        <Outputs outputs={outputs} place={place} />
      )}
      {logs.length === 0 ? null : <Logs logs={logs} />}
    </>
  )
}

interface OutputsProps {
  readonly outputs: JsonObject
  readonly place: TickPlace | undefined
}

function Outputs({ outputs, place }: OutputsProps) {
  const ticks = useTicks(noTicks)
  return (
    <section className="block-part ticked" aria-label="Outputs">
      <h3>Outputs</h3>
      <BodyViewer
        what="outputs"
        body={outputs}
        headers={noHeaders}
        mayBeBytes={false}
        ticks={place && ticks}
      />
      {place === undefined ? null : <TickBar {...{ ticks, place }} result={outputs} />}
    </section>
  )
}

const noTicks: readonly [] = []

interface SentProps extends Pick<Props, "workflow" | "written"> {
  readonly sent: RequestView
}

function SaveSent({ sent, workflow, written }: SentProps) {
  const { value } = useOpenFile({ kind: "workflow", workflow })
  const found =
    value === undefined || written === undefined
      ? undefined
      : [...rawBlocks(value)].find(({ block }) => block["id"] === written)?.block["request"]
  return <SaveSentRequest sent={sent} block={isJsonObject(found) ? found : undefined} />
}

/** The maximum number of logs to show, from the end. A script can write a million. */
const MAX_LOGS = 1000

function Logs({ logs }: { readonly logs: readonly string[] }) {
  return (
    <section className="block-part" aria-label="Logs">
      <h3>Logs</h3>
      {logs.length > MAX_LOGS ? (
        <p className="faint">
          The last {MAX_LOGS.toLocaleString("en")} of {logs.length.toLocaleString("en")}.
        </p>
      ) : null}
      <ol className="logs" tabIndex={0} aria-label="Lines">
        {logs.slice(-MAX_LOGS).map((text, index) => (
          <li key={index}>
            <LongText text={text} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function IterationCounts({ iterations }: { readonly iterations: readonly IterationReport[] }) {
  const failed = iterations.reduce((sum, { status }) => (status === "failed" ? sum + 1 : sum), 0)
  return (
    <p className="block-description">
      {count(iterations.length, "iteration")}, {failed === 0 ? "none" : failed.toLocaleString("en")} failed
    </p>
  )
}
