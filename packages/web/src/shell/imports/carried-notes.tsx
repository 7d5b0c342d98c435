// Which values are in secrets files and why, and how shared authentication is sent.

import type { ImportPreview } from "@callsheet/server/calls"
import { LongText } from "../../ui/shown-text.tsx"

/** The variables of a cause that are listed. The environments show all. */
const MAX_NAMES = 12

export function CarriedNotes({ plan: { secrets, sharedAuth } }: { readonly plan: ImportPreview }) {
  return (
    <>
      {sharedAuth.map((sentence) => (
        <p key={sentence}>
          <LongText text={sentence} />
        </p>
      ))}
      {secrets.length === 0 ? null : (
        <section aria-label="Values in secrets files">
          <p>Values in secrets files, which Git ignores:</p>
          <ul className="secret-causes">
            {secrets.map(({ cause, variables }) => (
              <li key={cause}>
                {cause}: <LongText text={shortened(variables)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const shortened = (names: readonly string[]): string =>
  [
    ...names.slice(0, MAX_NAMES),
    ...(names.length > MAX_NAMES ? [`${(names.length - MAX_NAMES).toLocaleString("en")} more`] : []),
  ].join(", ")
