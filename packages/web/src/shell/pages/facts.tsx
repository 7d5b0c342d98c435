// A list of names with values.

import type { ReactNode } from "react"

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
