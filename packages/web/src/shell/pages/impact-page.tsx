// What the uncommitted changes of an API's document break here, as `callsheet impact` says it, and their repairs.

import { Fragment, useState } from "react"
import type { Problem } from "@callsheet/format"
import { impactTexts, type ImpactClass } from "@callsheet/language"
import type { ApiView, ImpactChange, ImpactChanges, ImpactUseView } from "@callsheet/server/calls"
import { useImpact } from "../../connection/queries.ts"
import { OwnProblems, Section, ViewHead } from "../../files/page-parts.tsx"
import { ProblemLink } from "../../files/problem-list.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { MethodBadge, SeverityMark } from "../../ui/badges.tsx"
import { CopyButton } from "../../ui/copy-button.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { count } from "../../ui/formats.ts"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { RepairButton } from "./repair-button.tsx"

export function ImpactPage({ api }: { readonly api: ApiView }) {
  const { data, isError } = useImpact(api.name)
  const parent = (
    <RouteLink to={{ kind: "api", api: api.name }} className="quiet-link">
      <ShownText text={api.name} />
    </RouteLink>
  )
  return (
    <div className="view">
      <ViewHead
        what={parent}
        name="Document changes"
        description={data?.is === "compared" ? capitalized(summaryOf(data)) : undefined}
        isReading={data === undefined && !isError}
      />
      {isError ? <p role="alert">The documents could not be compared.</p> : null}
      {data === undefined ? null : data.is === "compared" ? (
        <Changes view={data} api={api.name} />
      ) : data.is === "unreadable" ? (
        <Unreadable problems={data.problems} />
      ) : data.is === "same" ? (
        <EmptyState title="No changes">
          <p>
            The document is the same as in the last commit. Change it in an editor or update it from its
            source: this page then shows which workflows break.
          </p>
        </EmptyState>
      ) : (
        <EmptyState title="Nothing to compare with">
          <p>
            callsheet compares the document with that of the last commit, but <ShownText text={data.reason} />
            .
          </p>
        </EmptyState>
      )}
    </div>
  )
}

const summaryOf = ({ counts }: ImpactChanges): string => impactTexts.counts(counts, "the last commit")

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

function Unreadable({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <>
      <p className="section-words">
        The documents can't be compared until both can be read. In a terminal, <code>callsheet impact</code>{" "}
        exits with 2.
      </p>
      <OwnProblems problems={problems} showsFiles />
    </>
  )
}

const only = {
  new: "The last commit has no document of this API, so every operation is new.",
  old: "The document is gone, so its operations were removed.",
} as const

function Changes({ view, api }: { readonly view: ImpactChanges; readonly api: string }) {
  const { changes, counts, repairs } = view
  return (
    <>
      {view.only === undefined ? null : <p className="section-words">{only[view.only]}</p>}
      {repairs === 0 ? null : (
        <div className="impact-repairs">
          <p>
            {count(repairs, "place")} can be repaired without a decision. callsheet shows the new text before
            it writes anything, and never changes an assertion.
          </p>
          <RepairButton api={api} words={`Repair ${count(repairs, "place")}…`} isPrimary />
        </div>
      )}
      {changes.length === 0 ? (
        <EmptyState title="Nothing that a request or response depends on">
          <p>The text of the document changed, but no operation did.</p>
        </EmptyState>
      ) : null}
      {(["breaks", "unused", "compatible"] as const).map((is) =>
        counts[is] === 0 ? null : (
          <ClassSection
            key={is}
            is={is}
            api={api}
            total={counts[is]}
            changes={changes.filter((change) => change.class === is)}
          />
        ),
      )}
    </>
  )
}

/** The number of changes of a class to show first. Compatible changes are shown if the user asks for them. */
const first = { breaks: 100, unused: 100, compatible: 0 } as const
const STEP = 200

interface ClassProps {
  readonly is: ImpactClass
  readonly api: string
  readonly total: number
  readonly changes: readonly ImpactChange[]
}

function ClassSection({ is, api, total, changes }: ClassProps) {
  const [shown, setShown] = useState<number>(first[is])
  const visible = changes.slice(0, shown)
  const left = changes.length - visible.length
  const isCut = left === 0 && changes.length < total
  return (
    <Section title={`${capitalized(impactTexts.heading(is))} (${total.toLocaleString("en")})`}>
      {visible.length === 0 ? null : (
        <ul className="problems impact">
          {visible.map((change, index) => (
            <ChangeItem
              key={`${change.operation} ${index}`}
              change={change}
              api={api}
              isFirst={change.operation !== visible[index - 1]?.operation}
            />
          ))}
        </ul>
      )}
      {left === 0 ? null : (
        <p className="section-actions">
          <button type="button" className="button" onClick={() => setShown(shown + STEP)}>
            {shown === 0
              ? `Show ${count(Math.min(left, STEP), "change")}`
              : `Show more: ${count(left, "change")} left`}
          </button>
        </p>
      )}
      {isCut ? (
        <p className="section-words">
          {count(total - changes.length, "more change")} not shown. <code>callsheet impact --json</code> lists
          all.
        </p>
      ) : null}
    </Section>
  )
}

interface ChangeProps {
  readonly change: ImpactChange
  readonly api: string
  /** False if the item above it is of the same operation. */
  readonly isFirst: boolean
}

function ChangeItem({ change, api, isFirst }: ChangeProps) {
  const { message, place, uses, omittedUses = 0 } = change
  const position = place && `${place.file}:${place.line}`
  return (
    <li className="problem">
      <ClassMark is={change.class} />
      <div className="problem-words">
        {isFirst ? <OperationName change={change} api={api} /> : null}
        <p className="problem-message">
          <LongText text={capitalized(message)} />
        </p>
        {uses.length === 0 ? null : (
          <ul className="impact-uses" aria-label="Breaks">
            {uses.map((use, index) => (
              <Fragment key={index}>
                <Use use={use} />
              </Fragment>
            ))}
            {omittedUses === 0 ? null : <li className="faint">{impactTexts.moreUses(omittedUses)}</li>}
          </ul>
        )}
      </div>
      {position === undefined ? null : (
        <span className="problem-place">
          <span className="problem-line">
            <ShownText text={`${fileNameOf(place?.file ?? "")}:${place?.line ?? 1}`} />
            {place?.isOld === true ? " before" : ""}
          </span>
          <CopyButton text={position} what={visibleText(position)} />
        </span>
      )}
    </li>
  )
}

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

function ClassMark({ is }: { readonly is: ImpactClass }) {
  if (is === "breaks") return <SeverityMark severity="error" word="breaks" />
  if (is === "unused") return <SeverityMark severity="warning" word="unused" />
  return <span className="severity faint">compatible</span>
}

function OperationName({ change: { operation, target }, api }: Pick<ChangeProps, "change" | "api">) {
  if (operation === "*") return <p className="impact-operation">The whole document</p>
  const [, method = "", path = operation] = /^([A-Z]+) (.*)$/s.exec(operation) ?? []
  const words = (
    <>
      {method === "" ? null : <MethodBadge method={method} />} <LongText text={path} />
    </>
  )
  return (
    <p className="impact-operation">
      {target === undefined ? (
        words
      ) : (
        <RouteLink to={{ kind: "operation", api, ...target }} className="link problem-link">
          {words}
        </RouteLink>
      )}
    </p>
  )
}

function Use({ use: { workflow, block, file, line, column } }: { readonly use: ImpactUseView }) {
  const problem: Problem = { code: "field-value", severity: "error", message: "", file, line, column }
  return (
    <li>
      <ProblemLink problem={problem}>
        <ShownText text={workflow} /> › <ShownText text={block} />
      </ProblemLink>{" "}
      <span className="impact-place">
        <ShownText text={`${file}:${line}:${column}`} />
      </span>
    </li>
  )
}
