// The parameters of one location as a table: tick, name, value and description, and a field that adds another name.

import { useRef, useState, type KeyboardEvent } from "react"
import { X } from "lucide-react"
import { isSameParameter, type JsonPointer, type JsonValue, type Problem } from "@callsheet/format"
import type { ParameterPlace, ParameterView } from "@callsheet/server/calls"
import { DescriptionLine } from "../ui/description-line.tsx"
import { later } from "../ui/later.tsx"
import { plainDescription } from "../ui/plain-description.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { PasswordOffer } from "./passwords/password-offer.tsx"
import { isPlain } from "./passwords/plain-passwords.ts"
import { Combobox } from "./combobox.tsx"
import { pointerKey } from "../files/text/field-problems.ts"
import { useFieldProblems, useForm } from "./context/form-context.tsx"
import { useIsInherited } from "./inheritance.ts"
import { FieldProblems } from "./form-field.tsx"
import { LiveInput } from "./live-input.tsx"
import {
  commonHeaders,
  hasParam,
  likelyPlace,
  paramRows,
  placeNames,
  setParams,
  type ParamName,
  type ParamRow,
} from "./param-rows.ts"
import { moveInRow } from "./row-keys.ts"
import { hasErrors, usePlaces } from "./value-row.tsx"
import { formatValue } from "./value-text.ts"

const [RichText] = later(async () => (await import("../ui/rich-text.tsx")).RichText)

export interface TableSource {
  /** The parameters in the form. */
  readonly pointer: JsonPointer
  /** The outermost object to remove if it becomes empty, such as `overrides`. */
  readonly upTo: JsonPointer
  readonly params: JsonValue | undefined
  readonly documented: readonly ParameterView[]
  /** Names that the user has added or emptied. Their rows stay without a value. */
  readonly added: readonly ParamName[]
  readonly onAdd: (name: ParamName) => void
  readonly onDrop: (name: ParamName) => void
  /** Shows the tab of a parameter, and focuses its value. */
  readonly onShow: (name: ParamName) => void
}

/** A longer table starts with this many rows, because each row has a field with suggestions. */
const MAX_ROWS = 60

export function ParamTable({
  place,
  source,
}: {
  readonly place: ParameterPlace
  readonly source: TableSource
}) {
  const [showsAll, setShowsAll] = useState(false)
  const rows = useSteadyRows(paramRows(place, source))
  const isLong = !showsAll && rows.length > MAX_ROWS
  const shown = isLong ? rows.filter((row, at) => at < MAX_ROWS || row.value !== undefined) : rows
  return (
    <>
      {rows.length === 0 ? null : (
        <div role="table" aria-label={`${placeNames[place]} parameters`} className="param-table">
          <div role="row" className="param-head">
            <span role="columnheader">
              <span className="only-read">Sent</span>
            </span>
            <span role="columnheader">Name</span>
            <span role="columnheader">Value</span>
            <span role="columnheader">Description</span>
          </div>
          {shown.map((row) => (
            <Row key={keyOf(row)} row={row} source={source} />
          ))}
        </div>
      )}
      {isLong ? (
        <button type="button" className="form-add" onClick={() => setShowsAll(true)}>
          Show {rows.length - shown.length} more
        </button>
      ) : null}
      {place === "path" ? null : <Adder place={place} rows={rows} source={source} />}
    </>
  )
}

/** Stays the same when the document is loaded, so that a row keeps its focus. */
const keyOf = ({ place, name }: ParamRow): string => (place === "header" ? name.toLowerCase() : name)

/** An undocumented row keeps its place when its value is emptied. */
function useSteadyRows(rows: readonly ParamRow[]): readonly ParamRow[] {
  const others = rows.filter(({ view }) => view === undefined)
  const keys = usePlaces(others.map(keyOf))
  return [
    ...rows.filter(({ view }) => view !== undefined),
    ...others.toSorted((one, other) => keys.indexOf(keyOf(one)) - keys.indexOf(keyOf(other))),
  ]
}

interface RowProps {
  readonly row: ParamRow
  readonly source: TableSource
}

function Row({ row, source }: RowProps) {
  const element = useRef<HTMLDivElement>(null)
  const { place, name, value, view } = row
  const pointer = [...source.pointer, place, name]
  const problems = useFieldProblems(pointer)
  const label = `${place} ${visibleText(name)}`
  const isSet = value !== undefined
  // A saved request's value can be overridden, but not removed.
  const isInherited = useIsInherited(pointer)
  const { kept, write, tick, remove } = useRowEdits(row, source)
  return (
    <div
      ref={element}
      role="row"
      className={isSet ? "param-row" : "param-row param-row-off"}
      data-pointer={pointerKey(pointer)}
      onKeyDown={moveInRow}
    >
      <span role="cell" className="param-tick">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSet}
          disabled={isInherited}
          aria-label={`Send ${label}`}
          title={
            isInherited
              ? "The saved request sends it"
              : isSet
                ? "Don't send it"
                : "Send it, even without a value"
          }
          onChange={() => {
            tick()
            if (!isSet) element.current?.querySelector<HTMLElement>("[role=combobox], textarea")?.focus()
          }}
        />
      </span>
      <NameCell row={row} />
      <div role="cell" className="param-value">
        <LiveInput
          pointer={pointer}
          label={label}
          aria-invalid={hasErrors(problems)}
          value={isSet ? formatValue(value) : ""}
          reads="text"
          placeholder={isSet ? "empty" : (kept ?? "not set")}
          values={view?.values?.map((one) => (typeof one === "string" ? one : formatValue(one)))}
          onChange={write}
        />
      </div>
      <span role="cell" className="param-about">
        <About view={view} label={label} />
        {view === undefined && !isInherited ? <RemoveButton label={label} onPress={remove} /> : null}
      </span>
      <Remarks row={row} source={source} problems={problems} isInherited={isInherited} />
    </div>
  )
}

/** Edits of a parameter. A tick is a step of its own in the history: undo brings back what was typed before. */
function useRowEdits(row: ParamRow, { pointer: params, upTo, onAdd, onDrop }: TableSource) {
  const form = useForm()
  // The value before the user removed the tick.
  const [kept, setKept] = useState<string>()
  const { place, name, value } = row
  const pointer = [...params, place, name]
  return {
    kept,
    write: (text: string): void => {
      if (text !== "") return form.set(pointer, text)
      // The row stays while the user types in it.
      onAdd(row)
      form.unset(pointer, upTo)
    },
    tick: (): void => {
      if (value !== undefined) {
        setKept(formatValue(value))
        onAdd(row)
        form.change((text) => text.unset(pointer, upTo))
      } else if (place !== "path" || kept !== undefined) {
        // An empty path parameter can't be sent.
        form.change((text) => text.set(pointer, kept ?? ""))
      }
    },
    remove: (): void => {
      onDrop(row)
      if (value !== undefined) form.unset(pointer, upTo)
    },
  }
}

const RemoveButton = ({ label, onPress }: { readonly label: string; readonly onPress: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    className="row-button"
    aria-label={`Remove ${label}`}
    title="Remove"
    onClick={onPress}
  >
    <X aria-hidden="true" />
  </button>
)

interface RemarkProps extends RowProps {
  readonly problems: readonly Problem[]
  readonly isInherited: boolean
}

/** Below the row, over its whole width. */
function Remarks({ row, source, problems, isInherited }: RemarkProps) {
  const { place, name, value, view } = row
  const to = isInherited ? undefined : likelyPlace(row, source.documented)
  const isPassword = view?.isPassword === true && !isInherited && isPlain(value)
  if (to === undefined && !isPassword && problems.length === 0) return null
  return (
    <div role="cell" className="param-remarks">
      {to === undefined ? null : <PlaceAdvice row={row} source={source} to={to} />}
      {isPassword ? (
        <PasswordOffer pointer={[...source.pointer, place, name]} label={`${place} ${name}`} value={value} />
      ) : null}
      <FieldProblems problems={problems} />
    </div>
  )
}

function NameCell({ row: { name, view } }: { readonly row: ParamRow }) {
  return (
    <span role="rowheader" className="param-name">
      <code>
        <ShownText text={name} />
      </code>
      {view?.required === true ? (
        <span className="param-required" title="required">
          <span aria-hidden="true">*</span>
          <span className="only-read">required</span>
        </span>
      ) : null}
    </span>
  )
}

/** The type, and the first paragraph of the description in one line until the user asks for the rest. */
function About({ view, label }: { readonly view: ParameterView | undefined; readonly label: string }) {
  const [isOpen, setOpen] = useState(false)
  const { words = "", description } = view ?? {}
  if (description === undefined || description.trim() === "")
    return (
      <span className="param-words">
        <ShownText text={words} />
      </span>
    )
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        className="param-words"
        aria-expanded={isOpen}
        aria-label={`Description of ${label}: ${[visibleText(words), plainDescription(description)]
          .filter((part) => part !== "")
          .join(" · ")}`}
        onClick={() => setOpen(!isOpen)}
      >
        <ShownText text={words} />
        {isOpen ? null : (
          <>
            {words === "" ? "" : " · "}
            <DescriptionLine text={description} />
          </>
        )}
      </button>
      {isOpen ? <RichText text={description} /> : null}
    </>
  )
}

/** Says if a name is hardly ever sent in this location, and moves it. */
function PlaceAdvice({ row, source, to }: RowProps & { readonly to: ParameterPlace }) {
  const form = useForm()
  const { pointer, upTo, params, onAdd, onDrop, onShow } = source
  const { place, name, value } = row
  const moved: ParamName = { place: to, name }
  const isTaken = hasParam(setParams(params, to), moved)
  const move = (): void => {
    onDrop(row)
    if (value === undefined) onAdd(moved)
    else form.change((text) => text.set([...pointer, to, name], value).unset([...pointer, place, name], upTo))
    onShow(moved)
  }
  return (
    <p className="param-advice" role="status">
      {isTaken ? (
        `It is also set under ${placeNames[to]}. Both are sent.`
      ) : (
        <>
          It belongs to {placeNames[to]}.{" "}
          <button type="button" className="link" onClick={move}>
            Move to {placeNames[to]}
          </button>
        </>
      )}
    </p>
  )
}

const nouns: { readonly [P in ParameterPlace]: string } = {
  query: "query parameter",
  header: "header",
  path: "path parameter",
  cookie: "cookie",
}

interface AdderProps {
  readonly place: ParameterPlace
  readonly rows: readonly ParamRow[]
  readonly source: TableSource
}

/** Enter and Tab add the name to this location, and go on in its value. A name that has a row is shown. */
function Adder({ place, rows, source }: AdderProps) {
  const [name, setName] = useState("")
  const names = place === "header" ? commonHeaders : rows.map((row) => row.name)
  const add = (text: string): void => {
    const written = text.trim()
    setName("")
    if (written === "") return
    const known = rows.find((row) => isSameParameter(place, row.name, written))
    const added = { place, name: known?.name ?? written }
    if (known === undefined) source.onAdd(added)
    source.onShow(added)
  }
  const onTab = (event: KeyboardEvent): void => {
    if (event.key !== "Tab" || event.shiftKey || name.trim() === "") return
    event.preventDefault()
    add(name)
  }
  return (
    <div className="form-adder" onKeyDown={onTab}>
      <Combobox
        label={`Add ${nouns[place]}`}
        placeholder={`Add ${nouns[place]}…`}
        isCode
        value={name}
        onChange={setName}
        suggest={(text) => ({ from: 0, to: text.length, items: namesLike(names, rows, text) })}
        onTake={({ text }) => add(text)}
        onEnter={() => add(name)}
      />
    </div>
  )
}

/**
 * Suggests nothing before the user types, because every documented parameter has a row. The typed name is first, so that
 * Enter adds it and not a longer one.
 */
function namesLike(names: readonly string[], rows: readonly ParamRow[], text: string) {
  const typed = text.trim()
  const word = typed.toLowerCase()
  const place = rows[0]?.place ?? "header"
  const known = names.filter(
    (name) =>
      word !== "" &&
      name.toLowerCase() !== word &&
      name.toLowerCase().includes(word) &&
      !hasParam(rows, { place, name }),
  )
  return known.length === 0 ? [] : [typed, ...known].map((one) => ({ text: one }))
}
