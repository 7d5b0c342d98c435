// What is left to do after an import: run the workflows, finish scripts, set values. Each item leads to its place.

import { useState, type ReactNode } from "react"
import { answersIn, type Answers } from "@callsheet/format"
import type { ImportPreview } from "@callsheet/server/calls"
import { runEnd } from "../../connection/run-store.ts"
import { hashOf, type Route } from "../../routes/route.ts"
import { runWorkflow } from "../../runs/state/starts.ts"
import { count } from "../../ui/formats.ts"
import { LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { showImported } from "./imported-state.ts"

const MAX_ITEMS = 10

export function ImportedChecklist({ plan }: { readonly plan: ImportPreview }) {
  const { workflows, untranslated, unset, lossGroups } = plan
  const byHand = lossGroups.filter(({ severity, group }) => severity === "needs-hand" && !isOfScripts(group))
  return (
    <section className="imported" aria-label="After the import">
      <div className="imported-head">
        <h2>After the import</h2>
        <button type="button" className="button button-quiet" onClick={() => showImported(undefined)}>
          Close
        </button>
      </div>
      <ul>
        {workflows.length === 0 ? null : <RunItem workflows={workflows} />}
        <Items
          items={unset}
          does="Set"
          routeOf={(name) => ({ kind: "environments", api: name.split(".")[0] ?? "" })}
        />
        <Items items={untranslated} does="Translate" routeOf={routeOfScript} />
        {byHand.map(({ group, count: number, reason = "" }) => (
          <Item key={group} name={group}>
            <LongText
              text={`${group} (${number.toLocaleString("en")})${reason === "" ? "" : `: ${reason}`}`}
            />
          </Item>
        ))}
      </ul>
    </section>
  )
}

/** They are items of their own. */
const isOfScripts = (group: string): boolean => group === "scripts to finish"

function routeOfScript(file: string): Route {
  const [, workflow = "", script = ""] = /^apis\/workflow\/scripts\/([^/]+)\/(.+)\.ts$/.exec(file) ?? []
  return { kind: "script", workflow, script }
}

interface ItemsProps {
  readonly items: readonly string[]
  readonly does: string
  readonly routeOf: (item: string) => Route
}

function Items({ items, does, routeOf }: ItemsProps) {
  const rest = items.length - MAX_ITEMS
  return (
    <>
      {items.slice(0, MAX_ITEMS).map((item) => (
        <Item key={item} name={visibleText(item)}>
          {does}{" "}
          <a className="link" href={hashOf(routeOf(item))}>
            <LongText text={item} />
          </a>
        </Item>
      ))}
      {rest > 0 ? (
        <Item name="the others">
          {does} {rest.toLocaleString("en")} more: see{" "}
          <a className="link" href={hashOf({ kind: "problems" })}>
            Problems
          </a>
        </Item>
      ) : null}
    </>
  )
}

/** The user ticks off what is done. */
const Item = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <li>
    <input type="checkbox" aria-label={`Done: ${name}`} /> {children}
  </li>
)

interface Ran {
  readonly isRunning: boolean
  readonly answers?: Answers
  /** The workflows with failures, and one that didn't start. */
  readonly left: readonly string[]
}

function RunItem({ workflows }: { readonly workflows: readonly string[] }) {
  const [{ isRunning, answers, left }, setRan] = useState<Ran>({ isRunning: false, left: [] })
  const run = async (): Promise<void> => {
    setRan({ isRunning: true, left: [] })
    setRan({ isRunning: false, ...(await runAll(workflows)) })
  }
  return (
    <li>
      <button
        type="button"
        className="button"
        aria-disabled={isRunning}
        onClick={() => void (isRunning || run())}
      >
        {isRunning ? "Running…" : `Run ${count(workflows.length, "workflow")}`}
      </button>{" "}
      <span role="status">{answers === undefined ? "" : summaryOf(answers)}</span>
      {left.map((workflow) => (
        <span key={workflow}>
          {" "}
          <a className="link" href={hashOf({ kind: "workflow", workflow })}>
            <LongText text={workflow} />
          </a>
        </span>
      ))}
    </li>
  )
}

/** Runs one workflow after the other, as the user would. Stops at one that doesn't start, for example if the user refuses. */
async function runAll(
  workflows: readonly string[],
): Promise<Pick<Ran, "left"> & { readonly answers: Answers }> {
  const reports: Parameters<typeof answersIn>[0][number][] = []
  const left: string[] = []
  for (const workflow of workflows) {
    const run = await runWorkflow(workflow)
    const view = run === undefined ? undefined : await runEnd(run)
    if (view?.report.status !== "passed") left.push(workflow)
    if (view === undefined) break
    reports.push(...view.report.runs)
  }
  return { answers: answersIn(reports), left }
}

function summaryOf({ requests, answered, undocumented, otherFailures }: Answers): string {
  if (requests === 0) return "No request was sent."
  const how = undocumented === 0 ? "as documented" : "with a status below 400 or as documented"
  const failed = otherFailures === 0 ? "" : `; ${count(otherFailures, "other block")} failed`
  return `${answered.toLocaleString("en")} of ${count(requests, "request")} answered ${how}${failed}.`
}
