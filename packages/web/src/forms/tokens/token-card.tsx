// A card at a placeholder: its meaning, its values, and a button that goes to its definition.

import { useQuery } from "@tanstack/react-query"
import { useEffect, useId, useRef } from "react"
import { ownOf, stringifyJson, type JsonValue, type Problem } from "@callsheet/format"
import type { Reading } from "../completion/roots.ts"
import { useEnvironments } from "../../environments/use-environments.ts"
import { CellWords } from "../../environments/cell.tsx"
import { Anchored } from "../../ui/anchored.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { describeToken, type TokenMeaning } from "./describe-token.ts"
import { SeverityMark } from "../../ui/badges.tsx"

interface Props {
  readonly path: string
  readonly reading: Reading
  readonly problem: Problem | undefined
  readonly takesFocus: boolean
  readonly anchor: () => Element | null
  readonly onGo: () => void
  readonly onClose: () => void
}

const MAX_ENVIRONMENTS = 12
const MAX_LENGTH = 400

export function TokenCard({ path, reading, problem, takesFocus, anchor, onGo, onClose }: Props) {
  const id = useId()
  const card = useRef<HTMLDivElement>(null)
  const { data: meaning } = useQuery({
    queryKey: ["token", path, id],
    queryFn: () => describeToken(path, reading),
    gcTime: 0,
  })
  const definition = meaning?.definition
  useEffect(() => {
    if (takesFocus && meaning !== undefined) (card.current?.querySelector("button") ?? card.current)?.focus()
  }, [takesFocus, meaning])
  if (meaning === undefined) return null
  return (
    <Anchored anchor={anchor} className="token-card-place">
      <div
        ref={card}
        role="group"
        tabIndex={-1}
        className="token-card"
        aria-label={visibleText(path.slice(0, 200))}
        aria-describedby={id}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      >
        <div id={id}>
          <p className="token-card-head">
            <code className="wrap">
              <ShownText text={path.slice(0, MAX_LENGTH)} />
            </code>
          </p>
          {meaning.words === "" && problem !== undefined ? null : (
            <p className="faint">
              <ShownText text={meaning.words === "" ? "known only in a run" : meaning.words} />
            </p>
          )}
          {problem === undefined ? null : (
            <p className="token-card-problem">
              <SeverityMark severity={problem.severity} /> <LongText text={problem.message} />
            </p>
          )}
          <Values meaning={meaning} />
        </div>
        {definition === undefined ? null : (
          <button type="button" className="quiet-button" onClick={onGo}>
            Go to definition
          </button>
        )}
      </div>
    </Anchored>
  )
}

function Values({ meaning: { definition, seen, environment } }: { readonly meaning: TokenMeaning }) {
  if (definition?.is === "variable") return <VariableValues {...definition} used={environment} />
  if (definition === undefined) return null
  return (
    <dl className="token-values">
      <dt>last run</dt>
      <dd>
        {seen === undefined ? (
          <span className="faint">no value</span>
        ) : (
          <code className="wrap">{shownValue(seen)}</code>
        )}
      </dd>
    </dl>
  )
}

function shownValue(value: JsonValue): string {
  const text = stringifyJson(value)
  return visibleText(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
}

interface VariableProps {
  readonly api: string
  readonly name: string
  /** The environment of the last run. */
  readonly used: string | undefined
}

function VariableValues({ api, name, used }: VariableProps) {
  const { data: view } = useEnvironments(api)
  const variable = view?.variables.find((one) => one.name === name)
  if (view === undefined || variable === undefined) return null
  const { environments, cells } = view
  return (
    <>
      <dl className="token-values">
        {environments.slice(0, MAX_ENVIRONMENTS).map((environment) => (
          <div key={environment.name}>
            <dt>
              <ShownText text={environment.name} />
            </dt>
            <dd>
              <CellWords
                variable={variable}
                cell={ownOf(ownOf(cells, environment.name), name)}
                draft={undefined}
              />
              {environment.name === used ? <span className="tag">last run</span> : null}
            </dd>
          </div>
        ))}
      </dl>
      {environments.length > MAX_ENVIRONMENTS ? (
        <p className="faint">and {environments.length - MAX_ENVIRONMENTS} more environments</p>
      ) : null}
    </>
  )
}
