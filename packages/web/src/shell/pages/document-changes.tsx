// Says in one line what the uncommitted changes of a document break, with a link to them.

import { useImpact } from "../../connection/queries.ts"
import { RouteLink } from "../../routes/route-link.tsx"
import { count } from "../../ui/formats.ts"

export function DocumentChanges({ api }: { readonly api: string }) {
  const { data, isError } = useImpact(api)
  if (isError) return <>could not be compared</>
  if (data === undefined) return <>…</>
  if (data.is === "same") return <span className="faint">none since the last commit</span>
  if (data.is === "unknown") return <span className="faint">unknown: {data.reason}</span>
  return (
    <RouteLink to={{ kind: "impact", api }}>
      {data.is === "unreadable" ? "can't be compared" : words(data.counts.breaks, sum(data.counts))}
    </RouteLink>
  )
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0)

const words = (breaks: number, all: number): string =>
  `${count(all, "change")} since the last commit, ${breaks === 0 ? "none breaks" : count(breaks, "breaks", "break")} a workflow`
