import type { Headers } from "@callsheet/format"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { ValueButton } from "../values/value-button.tsx"

export function HeaderList({ headers }: { readonly headers: Headers }) {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((text) => [name, text] as const),
  )
  if (lines.length === 0) return <p className="faint">none</p>
  return (
    <dl className="header-list">
      {lines.map(([name, text], index) => (
        <div key={index}>
          <dt>
            <ShownText text={name} />
          </dt>
          <dd>
            <LongText text={text} /> <ValueButton steps={[name]} value={headers[name] ?? text} name={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
