import { create } from "zustand"

type EnvironmentDialog =
  | { readonly kind: "new-variable" | "new-environment"; readonly api: string }
  | {
      readonly kind: "edit-variable" | "rename-variable" | "uses-of-variable" | "delete-variable"
      readonly api: string
      readonly variable: string
    }
  | {
      readonly kind: "settings" | "rename-environment" | "delete-environment"
      readonly api: string
      readonly environment: string
    }
  | {
      readonly kind: "replace-secret"
      readonly api: string
      readonly environment: string
      readonly variable: string
    }

export const useEnvironmentDialog = create<{ readonly shown: EnvironmentDialog | undefined }>(() => ({
  shown: undefined,
}))

export const showEnvironmentDialog = (shown: EnvironmentDialog | undefined): void =>
  useEnvironmentDialog.setState({ shown })
