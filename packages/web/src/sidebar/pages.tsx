// The links at the top of the sidebar: the overview, and the problems with their number.

import { CircleAlert, House } from "lucide-react"
import { useProblems } from "../data/use-problems.ts"
import { hashOf, type Route } from "../routes/route.ts"
import { useRoute } from "../routes/use-route.ts"
import { count } from "../text/count.ts"

export function Pages() {
  const { data } = useProblems()
  const problems = data?.problems ?? []
  const errors = problems.filter(({ severity }) => severity === "error").length
  const warnings = problems.length - errors
  const isClean = data !== undefined && problems.length === 0
  return (
    <>
      <ul className="pages">
        <Page to={{ kind: "overview" }} label="Overview" icon={<House aria-hidden="true" />} />
        <Page to={{ kind: "problems" }} label="Problems" icon={<CircleAlert aria-hidden="true" />}>
          <span className="page-counts">
            {errors === 0 ? null : <span className="count-error">{count(errors, "error")}</span>}
            {warnings === 0 ? null : <span className="count-warning">{count(warnings, "warning")}</span>}
            {isClean ? <span className="count-none">none</span> : null}
          </span>
        </Page>
      </ul>
      <p className="only-read" role="status">
        {data === undefined ? "" : `Problems: ${count(errors, "error")}, ${count(warnings, "warning")}`}
      </p>
    </>
  )
}

function Page({
  to,
  label,
  icon,
  children,
}: {
  readonly to: Route
  readonly label: string
  readonly icon: React.ReactNode
  readonly children?: React.ReactNode
}) {
  const isCurrent = useRoute().kind === to.kind
  return (
    <li>
      <a href={hashOf(to)} className="page-link" {...(isCurrent ? { "aria-current": "page" as const } : {})}>
        {icon}
        <span className="page-label">{label}</span>
        {children}
      </a>
    </li>
  )
}
