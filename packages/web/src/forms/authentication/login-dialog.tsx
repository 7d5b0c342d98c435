// The dialog that opens the page of a login, and waits for it.

import { useState } from "react"
import { FormDialog } from "../../files/form-dialog.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { useSubmit } from "../../ui/use-submit.ts"

interface Props {
  readonly title: string
  /** The provider's page. */
  readonly url: string
  readonly onCancel: () => void
}

/** The provider's page opens in another tab. The caller closes the dialog after the login. */
export function LoginDialog({ title, url, onCancel }: Props) {
  const submit = useSubmit()
  const [isOpened, setOpened] = useState(false)
  return (
    <FormDialog
      title={title}
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
