// The parts of the pages: header, sections, facts, problems.

import { type ReactNode, useId } from "react"
import { LongText, ShownText } from "../ui/shown-text.tsx"
import { CopyButton } from "../ui/copy-button.tsx"
import type { Problem } from "@callsheet/format"
import { ProblemList } from "./problem-list.tsx"
import { RouteLink } from "../routes/route-link.tsx"

interface Props {
  readonly what: ReactNode
  readonly name: string
  readonly badge?: ReactNode
  readonly description?: string | undefined
  /** True while the description is loading. Its line stays reserved. */
  readonly isReading?: boolean
}

export function ViewHead({ what, name, badge, description, isReading = false }: Props) {
  return (
    <header className="view-head">
      <p className="eyebrow">{what}</p>
      <h1>
        <LongText text={name} /> {badge}
      </h1>
      {isReading ? <p className="description">{"\u00a0"}</p> : null}
      {description === undefined || description === "" ? null : (
        <p className="description">
          <LongText text={description} />
        </p>
      )}
    </header>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="section">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

type Fact = readonly [name: string, value: ReactNode]

export function Facts({ facts }: { readonly facts: readonly (Fact | undefined)[] }) {
  return (
    <dl className="facts">
      {facts
        .filter((fact) => fact !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A file path with a copy button. */
export function FileName({ path }: { readonly path: string }) {
  return (
    <span className="file-name">
      <code className="wrap">
        <ShownText text={path} />
      </code>
      <CopyButton text={path} what="the path" />
    </span>
  )
}

interface OwnProblemsProps {
  readonly problems: readonly Problem[]
  /** Set if the view shows several files. */
  readonly showsFiles?: boolean
}

/** The problems of the files that a view shows. */
export function OwnProblems({ problems, showsFiles = false }: OwnProblemsProps) {
  if (problems.length === 0) return null
  return (
    <Section title="Problems">
      <ProblemList problems={problems} showsFiles={showsFiles} />
    </Section>
  )
}

/** Shown if the target of a route doesn't exist. */
export function Missing({ what, name }: { readonly what: string; readonly name: string }) {
  return (
    <div className="view">
      <h1>Not in the project</h1>
      <p>
        The {what}{" "}
        <strong className="wrap">
          <ShownText text={name} />
        </strong>{" "}
        does not exist. It reappears as soon as its file does.
      </p>
      <p>
        <RouteLink to={{ kind: "overview" }}>Go to the overview</RouteLink>
      </p>
    </div>
  )
}
