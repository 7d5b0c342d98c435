// Lets the user log in before a run. The provider's page opens in another tab, and the run goes on after the login.

import { useState } from "react"
import type { LoginQuestion } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { ShownText } from "../ui/shown-text.tsx"
import type { QuestionProps } from "./questions.ts"

export function LoginDialog({ question: { url }, what, onCancel }: QuestionProps<LoginQuestion>) {
  const submit = useSubmit()
  const [isOpened, setOpened] = useState(false)
  return (
    <FormDialog
      title={what === "run" ? "Log in to run" : "Log in to send"}
      submit={submit}
      does={isOpened ? "Open the page again" : "Log in"}
      isMainFirst
      onSubmit={() => {
        window.open(url, "_blank", "noopener,noreferrer")
        setOpened(true)
      }}
      onClose={onCancel}
    >
      <p>
        This API needs a login at{" "}
        <strong>
          <ShownText text={new URL(url).host} />
        </strong>
        . Its page opens in a new tab.
      </p>
      <p className="faint">callsheet keeps the token in memory until the app stops.</p>
      <p role="status">{isOpened ? "Waiting for the login…" : ""}</p>
    </FormDialog>
  )
}
