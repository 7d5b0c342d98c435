// The parts of a request as tabs: its parameters by location, and what else a form adds, such as the body.

import { useLayoutEffect, useMemo, useRef, useState, useId, type ReactNode } from "react"
import { isSameParameter, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { ParameterView } from "@callsheet/server/calls"
import { TabList } from "../ui/tabs.tsx"
import { pointerKey } from "../files/text/field-problems.ts"
import { useFieldProblems, useProblemsIn } from "./context/form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import {
  firstTab,
  hasParam,
  paramRows,
  placeNames,
  places,
  setParams,
  type ParamName,
  type TabFacts,
} from "./param-rows.ts"
import { ParamTable, type TableSource } from "./param-table.tsx"
import { hasErrors } from "./value-row.tsx"

/** A tab of a request's form. */
export interface PartTab extends TabFacts {
  /** The values that it shows. Their problems mark the tab. */
  readonly pointers: readonly JsonPointer[]
  readonly render: () => ReactNode
}

interface Props {
  readonly pointer: JsonPointer
  /** The outermost object to remove if it becomes empty, such as `overrides`. */
  readonly upTo: JsonPointer
  readonly params: JsonValue | undefined
  readonly documented: readonly ParameterView[]
  /** True if required parameters that aren't set are missing. A saved request may set them. */
  readonly showsRequired: boolean
  /** The tabs after those of the parameters. */
  readonly tabs: readonly PartTab[]
}

export function ParamsPart({ pointer, upTo, params, documented, showsRequired, tabs }: Props) {
  const [added, setAdded] = useState<readonly ParamName[]>([])
  const [chosen, setChosen] = useState<string>()
  const problems = useFieldProblems(pointer)
  const { panel, focusValue } = useValueFocus()
  const drop = ({ place, name }: ParamName) =>
    setAdded((names) => names.filter((one) => one.place !== place || !isSameParameter(place, one.name, name)))
  const source: TableSource = {
    pointer,
    upTo,
    params,
    documented,
    added,
    onAdd: ({ place, name }) =>
      setAdded((names) => (hasParam(names, { place, name }) ? names : [...names, { place, name }])),
    onDrop: drop,
    onShow: ({ place, name }) => {
      focusValue([...pointer, place, name])
      setChosen(placeNames[place])
    },
  }
  const all = [...paramTabs(source, showsRequired), ...tabs]
  const known = documented.map((view) => `${view.in} ${view.name}`).join("\n")
  // It stays while the user fills in the form.
  const first = useMemo(() => firstTab(all), [known, tabs.map(({ isDocumented }) => isDocumented).join()])
  return (
    <section className="form-parts" aria-label="Parameters">
      <PartTabs tabs={all} name={chosen ?? first} onChoose={setChosen} panel={panel} />
      <FieldProblems problems={problems} />
    </section>
  )
}

/** The path has a tab only if it has parameters: no other can be added. */
function paramTabs(source: TableSource, showsRequired: boolean): readonly PartTab[] {
  return places.flatMap((place): readonly PartTab[] => {
    const rows = paramRows(place, source)
    if (place === "path" && rows.length === 0) return []
    return [
      {
        name: placeNames[place],
        count: setParams(source.params, place).length,
        isMissing:
          showsRequired && rows.some(({ view, value }) => view?.required === true && value === undefined),
        isDocumented: rows.some(({ view }) => view !== undefined),
        pointers: [[...source.pointer, place]],
        render: () => <ParamTable key={place} place={place} source={source} />,
      },
    ]
  })
}

interface PartTabsProps {
  readonly tabs: readonly PartTab[]
  readonly name: string
  readonly onChoose: (name: string) => void
  readonly panel: { readonly current: HTMLDivElement | null }
}

function PartTabs({ tabs, name, onChoose, panel }: PartTabsProps) {
  const id = useId()
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === name),
  )
  return (
    <div className="tabs">
      <TabList
        label="Parts of the request"
        className="part-tabs"
        id={id}
        panelId={`${id}-panel`}
        names={tabs.map((tab) => tab.name)}
        index={index}
        onSelect={(at) => onChoose(tabs[at]?.name ?? "")}
        details={tabs.map((tab) => ({
          mark: <TabMark tab={tab} />,
          pointers: tab.pointers.map(pointerKey),
        }))}
      />
      <div
        ref={panel}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${index}`}
        className="tab-panel part-panel"
      >
        {tabs[index]?.render()}
      </div>
    </div>
  )
}

/** How many values are set, whether one is missing, and whether one is wrong. */
function TabMark({ tab: { count, isMissing, pointers } }: { readonly tab: PartTab }) {
  // The blanks separate the words of the tab's accessible name.
  return (
    <>
      {count === 0 ? null : " "}
      {count === 0 ? null : <span className="tab-count">{count}</span>}{" "}
      {isMissing === true ? (
        <span className="param-required" title="A required value isn't set">
          <span aria-hidden="true">*</span>
          <span className="only-read">required</span>
        </span>
      ) : null}
      <ProblemMark pointers={pointers} />
    </>
  )
}

function ProblemMark({ pointers }: { readonly pointers: readonly JsonPointer[] }) {
  const problems = useProblemsIn(pointers)
  if (problems.length === 0) return null
  const severity = hasErrors(problems) ? "error" : "warning"
  return (
    <span className={`severity-${severity}`} title={`It has ${severity}s`}>
      <span aria-hidden="true">{severity === "error" ? "✕" : "!"}</span>
      <span className="only-read">{severity}</span>
    </span>
  )
}

/** Focuses the field of a value after it is rendered, which may be in another tab. */
function useValueFocus() {
  const panel = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  const [, renderAgain] = useState({})
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const rows = [...(panel.current?.querySelectorAll<HTMLElement>("[data-pointer]") ?? [])]
    const row = rows.find(({ dataset }) => dataset["pointer"] === wanted.current)
    wanted.current = undefined
    row?.querySelector<HTMLElement>("[role=combobox], textarea")?.focus()
  })
  const focusValue = (pointer: JsonPointer): void => {
    wanted.current = pointerKey(pointer)
    // The value may be in the tab that is shown, which nothing else renders.
    renderAgain({})
  }
  return { panel, focusValue }
}
