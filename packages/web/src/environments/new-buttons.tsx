// Buttons that create a variable and an environment.

import { showEnvironmentDialog } from "./dialog-state.ts"

interface Props {
  readonly api: string
  readonly isMain?: boolean
}

export function NewVariableButton({ api, isMain = false }: Props) {
  return (
    <button
      type="button"
      className={isMain ? "button button-main" : "button"}
      onClick={() => showEnvironmentDialog({ kind: "new-variable", api })}
    >
      New variable
    </button>
  )
}

export function NewEnvironmentButton({ api, isMain = false }: Props) {
  return (
    <button
      type="button"
      className={isMain ? "button button-main" : "button"}
      onClick={() => showEnvironmentDialog({ kind: "new-environment", api })}
    >
      New environment
    </button>
  )
}
