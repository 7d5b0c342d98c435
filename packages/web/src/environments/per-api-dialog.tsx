// A dialog with the environment of each API: the project's, or one of its own. A choice applies at once.

import { FormDialog } from "../files/form-dialog.tsx"
import { ChoiceField } from "../ui/form-fields.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { visibleText } from "../ui/visible-text.ts"
import {
  overrideEnvironment,
  overrideOf,
  useEnvironmentChoices,
  type ApiEnvironments,
} from "./environment-choices.ts"

interface Props {
  readonly apis: readonly ApiEnvironments[]
  readonly onClose: () => void
}

export function PerApiDialog({ apis, onClose }: Props) {
  const choices = useEnvironmentChoices()
  const submit = useSubmit()
  return (
    <FormDialog title="Environments by API" submit={submit} onSubmit={onClose} onClose={onClose}>
      {apis.map((api, index) =>
        api.environments.length === 0 ? null : (
          <ChoiceField
            key={api.api}
            label={visibleText(api.api)}
            isFirst={index === 0}
            value={overrideOf(api, choices, undefined) ?? ""}
            options={[
              { value: "", label: "As the project" },
              ...api.environments.map(({ name }) => ({ value: name, label: visibleText(name) })),
            ]}
            onChange={(name) => overrideEnvironment(api.api, undefined, name === "" ? undefined : name)}
          />
        ),
      )}
    </FormDialog>
  )
}
