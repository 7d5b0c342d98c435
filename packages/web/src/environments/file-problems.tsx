// Problems in an API's environment files. A problem that only an edit as text can fix has a link to the text.

import type { Problem } from "@callsheet/format"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { RouteLink } from "../routes/route-link.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { ProblemList } from "../files/problem-list.tsx"

export const hasBrokenSchema = ({ schema }: EnvironmentsView): boolean =>
  schema.problems.some(({ severity }) => severity === "error")

const MAX_SHOWN = 50

export function FileProblems({ view }: { readonly view: EnvironmentsView }) {
  const broken = view.environments.filter(({ isBroken }) => isBroken)
  const rest = view.environments.filter(({ isBroken }) => !isBroken).flatMap(({ problems }) => problems)
  const schema = view.schema.problems
  if (schema.length + broken.length + rest.length === 0) return null
  return (
    <div className="env-problems">
      {schema.length === 0 ? null : (
        <Broken path={view.schema.path} problems={schema} api={view.api} environment={undefined} />
      )}
      {broken.map(({ name, problems }) => (
        <Broken
          key={name}
          path={`apis/${view.api}/environments/${name}.json`}
          problems={problems}
          api={view.api}
          environment={name}
        />
      ))}
      {rest.length === 0 ? null : (
        <details className="env-problems-rest">
          <summary>{rest.length === 1 ? "1 problem" : `${rest.length} problems`} in value files</summary>
          <ProblemList problems={rest.slice(0, MAX_SHOWN)} showsFiles />
        </details>
      )}
    </div>
  )
}

interface BrokenProps {
  readonly path: string
  readonly problems: readonly Problem[]
  readonly api: string
  readonly environment: string | undefined
}

function Broken({ path, problems, api, environment }: BrokenProps) {
  const isError = problems.some(({ severity }) => severity === "error")
  return (
    <section className="env-problems-file" aria-label={`Problems in ${path.slice(0, 300)}`}>
      <p className="env-problems-head">
        <span>
          <code className="wrap">
            <ShownText text={path} />
          </code>{" "}
          {isError ? "has an error. Fix it as text." : "has a warning."}
        </span>
        <RouteLink to={{ kind: "environment-text", api, environment }}>Open as text</RouteLink>
      </p>
      <ProblemList
        problems={problems.slice(0, MAX_SHOWN)}
        showsFiles={problems.some(({ file }) => file !== path)}
      />
    </section>
  )
}
