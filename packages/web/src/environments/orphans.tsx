// Drafts of cells whose environment or variable no longer exists.

import type { EnvironmentsView } from "@callsheet/server/calls"
import { CopyButton } from "../ui/copy-button.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { dropDraft, useDraftsOf } from "./cell-drafts.ts"
import { cellOf } from "./table-model.ts"

export function Orphans({ view }: { readonly view: EnvironmentsView }) {
  const drafts = useDraftsOf(view.api).filter(
    ([{ environment, variable }]) => cellOf(view, environment, variable) === undefined,
  )
  if (drafts.length === 0) return null
  return (
    <div role="alert" className="env-orphans">
      <p>Unsaved values of variables or environments that no longer exist:</p>
      <ul>
        {drafts.map(([place, { intent }]) => (
          <li key={`${place.environment} ${place.variable}`}>
            <span>
              <ShownText text={place.variable} /> in <ShownText text={place.environment} />
              {intent.does === "set" ? (
                <>
                  :{" "}
                  <code>
                    <ShownText text={intent.text} />
                  </code>
                </>
              ) : null}
            </span>
            {intent.does === "set" ? <CopyButton text={intent.text} what="the unsaved value" /> : null}
            <button type="button" className="copy-button" onClick={() => dropDraft(place)}>
              Discard
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
