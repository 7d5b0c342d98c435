// What is left to do after an import: run the workflows, finish scripts, set values. Each item leads to its place.

import { useEffect, useRef, type ReactNode } from "react"
import { describeAnswers, type Answers } from "@callsheet/format"
import { suiteOf, type ImportPreview } from "@callsheet/server/calls"
import { hashOf, type Route } from "../../routes/route.ts"
import { routeOfSubject } from "../../runs/bar/batch.ts"
import { FailureList } from "../../runs/report/failure-list.tsx"
import { count } from "../../ui/formats.ts"
import { LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { runFirst, stopFirstRun, useFirstRun, type SubjectResult } from "./first-run.ts"
import { LossGroup, isOf } from "./loss-list.tsx"
import { showImported } from "./imported-state.ts"

const MAX_ITEMS = 10

export function ImportedChecklist({ plan }: { readonly plan: ImportPreview }) {
  const { workflows, untranslated, unset, losses, lossGroups } = plan
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    // The dialog leaves the focus in the page. The user may have moved it since.
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.id === "main") list.current?.focus()
  }, [])
  const toReview = lossGroups.filter(
    ({ severity, group }) => severity !== "information" && !isOfScripts(group),
  )
  return (
    <section ref={list} className="imported" aria-label="After the import" tabIndex={-1}>
      <div className="imported-head">
        <h2>After the import</h2>
        <button type="button" className="button button-quiet" onClick={() => showImported(undefined)}>
          Close
        </button>
      </div>
      <ul>
        {workflows.length === 0 ? null : <RunItem plan={plan} />}
        <Items
          items={unset}
          does="Set"
          routeOf={(name) => ({ kind: "environments", api: name.split(".")[0] ?? "" })}
        />
        <Items items={untranslated} does="Translate" routeOf={routeOfScript} />
        {toReview.map((group) => (
          <Item key={`${group.severity} ${group.group}`} name={group.group}>
            <LossGroup group={group} losses={losses.filter((loss) => isOf(loss, group))} />
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
  <li className="imported-item">
    <input type="checkbox" aria-label={`Done: ${name}`} />
    <div>{children}</div>
  </li>
)

/** Runs what was imported, says how its requests were answered, and leads to each one that needs a look. */
function RunItem({ plan }: { readonly plan: ImportPreview }) {
  const { isGoing, answers, results, needsEnvironment = false } = useFirstRun()
  const { subjects } = plan.firstRun
  const sentence = answers === undefined ? "" : sentenceOf(answers, plan)
  return (
    <li>
      {isGoing ? (
        <button type="button" className="button" onClick={stopFirstRun}>
          Stop
        </button>
      ) : (
        <button type="button" className="button" onClick={() => void runFirst(plan.firstRun)}>
          {runWords(subjects)}
        </button>
      )}{" "}
      <span role="status">
        {isGoing
          ? "Running…"
          : needsEnvironment
            ? "Choose an environment at the top right, then run again."
            : sentence}
      </span>
      {results.length === 0 ? null : (
        <ul className="imported-results" aria-label="Requests and blocks to look at">
          {results.slice(0, MAX_ITEMS).map((result) => (
            <SubjectItem key={result.subject} {...result} />
          ))}
        </ul>
      )}
    </li>
  )
}

const runWords = (subjects: readonly string[]): string => {
  const suites = subjects.filter((subject) => suiteOf(subject) !== undefined).length
  const kinds = [
    subjects.length === suites ? [] : [count(subjects.length - suites, "workflow")],
    suites === 0 ? [] : [count(suites, "suite")],
  ]
  return `Run ${kinds.flat().join(" and ")}`
}

function SubjectItem({ subject, failures }: SubjectResult) {
  const rest = failures.length - MAX_ITEMS
  return (
    <li>
      <a className="link" href={hashOf(routeOfSubject(subject))}>
        <LongText text={suiteOf(subject) ?? subject} />
      </a>
      <FailureList failures={failures.slice(0, MAX_ITEMS)} />
      {rest > 0 ? `and ${rest.toLocaleString("en")} more` : null}
    </li>
  )
}

/** The sentence of the command. What its parts count follows as items of the list. */
function sentenceOf(answers: Answers, plan: ImportPreview): string {
  const [first = "", ...others] = describeAnswers(answers, plan).map(({ text }) => text)
  return [`${first.slice(0, 1).toUpperCase()}${first.slice(1)}`, ...others].join("; ")
}
