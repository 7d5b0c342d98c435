// The map of a workflow: its blocks in the order of the run, the outcomes of the last run, and the values that the
// selected block reads and gives. Read-only.

import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react"
import type { JsonValue } from "@callsheet/format"
import { Fold, treeItem } from "../../ui/tree-row.tsx"
import { movedRow } from "../../ui/list-keys.ts"
import { StatusMark } from "../../runs/marks/status-mark.tsx"
import { count } from "../../ui/formats.ts"
import { visibleText } from "../../ui/visible-text.ts"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import type { BlockOutcome } from "../outline/block-outcomes.ts"
import { outlineRows, rowName, type OutlineRow } from "../../blocks/block-rows.ts"
import { activeRow, openRow, selectRow, useEditor } from "../../blocks/editor-state.ts"
import { showPart } from "../../routes/workflow-part.ts"
import { KindMark } from "../outline/kind-mark.tsx"
import { linkPath, linksOf, type MapLink, useValueFlows } from "./map-links.ts"
import { layoutMap, type MapBox, type MapLayout } from "./map-layout.ts"
import { focusOutline } from "../../blocks/outline-dom.ts"
import { useBlockOutcomes } from "../outline/use-block-outcomes.ts"
import type { OpenFile } from "../../files/file-state.ts"

interface Props {
  readonly file: WorkflowFile
  readonly open: OpenFile
  readonly value: JsonValue
}

/** More boxes would take too long to draw. */
const MAX_BOXES = 3_000

export function MapPart({ file, open, value }: Props) {
  const { workflow } = file
  const editor = useEditor(workflow)
  const rows = useMemo(() => outlineRows(value, editor.closed), [value, editor.closed])
  const flows = useValueFlows(open.text)
  const [hovered, setHovered] = useState<number>()
  const active = activeRow(rows, editor)
  const shown = rows[hovered ?? active]
  const links = useMemo(() => linksOf(flows, { rows, value, shown }), [flows, rows, value, shown])
  const { scroller, size } = useSize()
  const map = useMemo(() => layoutMap(rows, size.width / size.height), [rows, size])
  const [zoom, setZoom] = useState<number>()
  const fit = Math.min(1, size.width / (map.width + 2 * margin), size.height / (map.height + 2 * margin))
  const scale = zoom ?? Math.max(fit, leastReadable)
  useEffect(() => {
    const box = scroller.current?.querySelector(`#${boxId(active)}`)
    box?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [scroller, active, map])
  if (rows.length === 0)
    return <p className="faint">The workflow has no blocks yet. Add them in the editor.</p>
  return (
    <div className="map">
      <div
        ref={scroller}
        role="tree"
        aria-label="Map of the workflow"
        aria-describedby={linksId}
        aria-activedescendant={active === -1 ? undefined : boxId(active)}
        tabIndex={0}
        className="map-view"
        onKeyDown={(event) => onKey(event, { workflow, rows, active })}
        onPointerMove={({ target }) => setHovered(indexAt(target))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={({ target }) => goTo(workflow, rows[indexAt(target) ?? -1])}
      >
        {rows.length > MAX_BOXES ? (
          <p role="treeitem" className="map-large">
            The map shows at most {count(MAX_BOXES, "block")}. Collapse some in the editor.
          </p>
        ) : (
          <Ground {...{ workflow, value, rows, active, map, links, scale }} />
        )}
      </div>
      <MapFoot text={linksText(shown, links, rows)} {...{ scale, fit }} onZoom={setZoom} />
    </div>
  )
}

/** Shows a block in the editor. */
function goTo(workflow: string, row: OutlineRow | undefined): void {
  if (row === undefined) return
  selectRow(workflow, row)
  showPart(workflow, "editor")
  requestAnimationFrame(focusOutline)
}

interface Walk {
  readonly workflow: string
  readonly rows: readonly OutlineRow[]
  readonly active: number
}

function onKey(event: KeyboardEvent, { workflow, rows, active }: Walk): void {
  const { key, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey) return
  const row = rows[active]
  const next = rows[movedRow(key, rows, active) ?? -1]
  if (key === "Enter" && row !== undefined) goTo(workflow, row)
  else if (row !== undefined && isToggled(key, row)) openRow(workflow, rowName(row), row.isOpen !== true)
  else if (next !== undefined) selectRow(workflow, next)
  else return
  event.preventDefault()
}

interface GroundProps extends Walk {
  readonly value: JsonValue
  readonly map: MapLayout
  readonly links: readonly MapLink[]
  readonly scale: number
}

function Ground({ workflow, value, rows, active, map, links, scale }: GroundProps) {
  const { outcomes } = useBlockOutcomes(workflow, value)
  const ways = new Map(links.flatMap(({ from, to, way }) => [from, to].map((index) => [index, way] as const)))
  const size = { width: (map.width + 2 * margin) * scale, height: (map.height + 2 * margin) * scale }
  return (
    <div role="presentation" className="map-scaled" style={size}>
      <div role="presentation" className="map-ground" style={{ transform: `scale(${scale})` }}>
        <Steps map={map} />
        {rows.map((row, index) => (
          <Box
            key={row.key}
            {...{ workflow, row, index }}
            box={map.boxes[index]}
            outcome={outcomes.get(row.key)}
            isActive={index === active}
            link={ways.get(index)}
          />
        ))}
        <svg className="map-lines" width={map.width} height={map.height} aria-hidden="true">
          {links.map(({ from, to, way }) => (
            <path
              key={`${from} ${to}`}
              className={`map-link map-link-${way}`}
              d={linkPath(boxAt(map, from), boxAt(map, to), "value")}
            />
          ))}
        </svg>
      </div>
    </div>
  )
}

interface FootProps {
  readonly text: string
  readonly scale: number
  /** The scale at which the whole map is visible. */
  readonly fit: number
  readonly onZoom: (scale: number) => void
}

function MapFoot({ text, scale, fit, onZoom }: FootProps) {
  const zooms = [
    ["Zoom out", scale / 1.25],
    ["Zoom in", scale * 1.25],
    ["Fit", fit],
  ] as const
  return (
    <div className="map-foot">
      <p id={linksId} className="map-links" role="status">
        {text}
      </p>
      {zooms.map(([label, to]) => (
        <button key={label} type="button" className="button button-small" onClick={() => onZoom(to)}>
          {label}
        </button>
      ))}
    </div>
  )
}

/** Pixels around the map. */
const margin = 16
/** The scale at which names are still readable. */
const leastReadable = 0.75
const linksId = "map-links"
const boxId = (index: number): string => `map-block-${index}`

const indexAt = (target: EventTarget): number | undefined => {
  const box = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
  return box === null ? undefined : Number(box.dataset["index"])
}

const isToggled = (key: string, { isOpen }: OutlineRow): boolean =>
  isOpen !== undefined && (key === " " || key === (isOpen ? "ArrowLeft" : "ArrowRight"))

function useSize() {
  const scroller = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 1000, height: 600 })
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null) return undefined
    const measure = (): void => setSize({ width: current.offsetWidth, height: current.offsetHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { scroller, size }
}

interface BoxProps {
  readonly workflow: string
  readonly row: OutlineRow
  readonly index: number
  readonly box: MapBox | undefined
  readonly outcome: BlockOutcome | undefined
  readonly isActive: boolean
  readonly link: MapLink["way"] | undefined
}

const Box = memo(function Box({ workflow, row, index, box, outcome, isActive, link }: BoxProps) {
  const { isOpen } = row
  const name = row.row === "branch" ? row.branch : row.id === "" ? "no id" : visibleText(row.id)
  const classes = [
    "map-box",
    isOpen === true ? "map-container" : "",
    outcome === undefined ? "" : `map-${outcome.status}`,
    isActive ? "map-active" : "",
    link === undefined ? "" : `map-${link}`,
  ]
  return (
    <div
      id={boxId(index)}
      {...treeItem(row, isActive)}
      data-index={index}
      className={classes.join(" ")}
      title={name}
      style={box && { left: box.x, top: box.y, width: box.width, height: box.height }}
    >
      <div className="map-name">
        {isOpen === undefined ? null : (
          <Fold isOpen={isOpen} onToggle={() => openRow(workflow, rowName(row), !isOpen)} />
        )}
        {row.row === "branch" ? null : <KindMark kind={row.kind} />}
        <span className="map-id">{name}</span>
        {outcome === undefined ? null : <StatusMark status={outcome.status} />}
      </div>
    </div>
  )
})

const boxAt = ({ boxes }: MapLayout, index: number): MapBox =>
  boxes[index] ?? { x: 0, y: 0, width: 0, height: 0 }

const Steps = memo(function Steps({ map }: { readonly map: MapLayout }) {
  return (
    <svg className="map-lines" width={map.width} height={map.height} aria-hidden="true">
      {map.steps.map(([from, to]) => (
        <path key={to} className="map-step" d={linkPath(boxAt(map, from), boxAt(map, to), "step")} />
      ))}
    </svg>
  )
})

function linksText(
  shown: OutlineRow | undefined,
  links: readonly MapLink[],
  rows: readonly OutlineRow[],
): string {
  if (shown === undefined || shown.row === "branch") return "Select a block to see the values it uses."
  const nameAt = (index: number): string => {
    const row = rows[index]
    return row?.row === "block" ? visibleText(row.id) : ""
  }
  const reads = links.filter(({ way }) => way === "reads")
  const gives = links.filter(({ way }) => way === "gives")
  const words = [
    reads.length === 0
      ? "reads no other block"
      : `reads ${reads.map(({ from, paths }) => `${nameAt(from)} (${visibleText(paths.join(", "))})`).join(", ")}`,
    gives.length === 0 ? "no block reads it" : `read by ${gives.map(({ to }) => nameAt(to)).join(", ")}`,
  ]
  return `${visibleText(shown.id)}: ${words.join("; ")}.`
}
