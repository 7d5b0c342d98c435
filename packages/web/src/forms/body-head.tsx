// The heading of a body: its documented content type and description.

import type { BodyTypeView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"

export const BodyHead = ({ documented }: { readonly documented: BodyTypeView | undefined }) => (
  <h2 className="form-head">
    Body
    {documented === undefined ? null : (
      <span className="form-aside">
        {visibleText(documented.mediaType)}
        {documented.required ? ", required" : ""}
      </span>
    )}
  </h2>
)
