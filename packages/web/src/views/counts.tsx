// How much of everything there is.

import type { ProjectView } from "@callsheet/server/calls"
import { useProblems } from "../data/use-problems.ts"

export function Counts({ project: { apis, workflows } }: { readonly project: ProjectView }) {
  const { data } = useProblems()
  const errors = data?.problems.filter(({ severity }) => severity === "error").length
  const sum = (count: (api: (typeof apis)[number]) => number): number =>
    apis.reduce((total, api) => total + count(api), 0)
  return (
    <dl className="counts">
      <Count name="Workflows" number={workflows.length} />
      <Count name="APIs" number={apis.length} />
      <Count name="Environments" number={sum(({ environments }) => environments.length)} />
      <Count name="Saved requests" number={sum(({ requests }) => requests.length)} />
      <Count name="Errors" number={errors} isBad={errors !== undefined && errors > 0} />
    </dl>
  )
}

interface CountProps {
  readonly name: string
  /** Absent while it is not known. */
  readonly number: number | undefined
  readonly isBad?: boolean
}

function Count({ name, number, isBad = false }: CountProps) {
  return (
    <div className={isBad ? "count count-bad" : "count"}>
      <dt>{name}</dt>
      <dd>{number?.toLocaleString("en") ?? "…"}</dd>
    </div>
  )
}
