import type { ReactNode } from "react"

interface Props {
  readonly columns: readonly string[]
  readonly endsInNumbers?: boolean
  readonly children: ReactNode
}

export function Table({ columns, endsInNumbers = false, children }: Props) {
  return (
    <table className={endsInNumbers ? "table table-numbers" : "table"}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
