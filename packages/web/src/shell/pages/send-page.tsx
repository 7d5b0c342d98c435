// Sends a URL or a curl command, and adds an API by the address of its document, in a project that has APIs.

import { StartField } from "../imports/start-field.tsx"
import { ViewHead } from "../../files/page-parts.tsx"

export function SendPage() {
  return (
    <div className="view">
      <ViewHead
        what="Project"
        name="Send a URL"
        description="Or a curl command. Save it afterwards, with its response, or add an API by the address of its document."
      />
      <StartField />
    </div>
  )
}
