// Words whose color carries meaning: the level of an environment, the method of an operation, the severity of a
// problem.

import type { Level, Severity } from "@callsheet/format"
import { ShownText } from "./shown-text.tsx"

interface EnvironmentProps {
  readonly name: string
  readonly level: Level
}

/** The name of an environment with its level, unless that is `local`. A name that is the level isn't repeated. */
export const EnvironmentName = ({ name, level }: EnvironmentProps) =>
  level === "local" ? (
    <ShownText text={name} />
  ) : (
    <>
      {name === level ? null : <ShownText text={name} />} <LevelBadge level={level} />
    </>
  )

/** The level of an environment. Production stands out. */
export function LevelBadge({ level }: { readonly level: Level }) {
  return <span className={`level level-${level}`}>{level}</span>
}

const known = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])

/** The HTTP method of an operation. */
export function MethodBadge({ method }: { readonly method: string }) {
  const kind = known.has(method) ? method.toLowerCase() : "other"
  return (
    <span className={`method method-${kind}`}>
      <ShownText text={method} />
    </span>
  )
}

interface SeverityProps {
  readonly severity: Severity
  /** By default, the severity itself. */
  readonly word?: string
}

/** Error or warning, as a word with a mark. */
export function SeverityMark({ severity, word = severity }: SeverityProps) {
  return (
    <span className={`severity severity-${severity}`}>
      <span aria-hidden="true" className="severity-mark">
        {severity === "error" ? "✕" : "!"}
      </span>
      {word}
    </span>
  )
}
