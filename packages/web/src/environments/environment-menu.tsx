// The menu that overrides the project's environment for a workflow, a suite or an API. Shows only an override, and that
// nothing is chosen.

import { Layers } from "lucide-react"
import { useRef, useState } from "react"
import { Menu, type MenuItem } from "../ui/menu.tsx"
import { visibleText } from "../ui/visible-text.ts"
import {
  chooseEnvironment,
  chosenEnvironment,
  overrideOf,
  useEnvironmentChoices,
  type ApiEnvironments,
} from "./environment-choices.ts"
import { environmentLabel, environmentNames } from "./environment-names.ts"

interface Props {
  readonly apis: readonly ApiEnvironments[]
  /** The workflow or suite. Undefined: the override is the API's. */
  readonly subject: string | undefined
  /** What the override is for, such as "this workflow". */
  readonly of: string
  /** Shows a field for each API. Absent if there is only one. */
  readonly onPerApi?: (() => void) | undefined
}

export function EnvironmentMenu({ apis, subject, of, onPerApi }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const state = useOverrides(apis, subject)
  if (environmentNames(apis).length === 0) return null
  const { words, isProduction } = state
  return (
    <>
      <button
        ref={button}
        type="button"
        className={words === undefined ? "button button-icon" : "button environment-override"}
        data-level={isProduction ? "production" : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={`Environment of ${visibleText(of)}${words === undefined ? "" : `: ${visibleText(words)}`}`}
        title={`Environment of ${visibleText(of)}`}
        onClick={() => setOpen(!isOpen)}
      >
        <Layers aria-hidden="true" />
        {words === undefined ? null : <span>{visibleText(words)}</span>}
      </button>
      {isOpen ? (
        <Menu
          label={`Environment of ${visibleText(of)}`}
          anchor={() => button.current}
          items={menuItems({ apis, subject, onPerApi, state })}
          onClose={(goesBack) => {
            setOpen(false)
            if (goesBack) button.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}

function useOverrides(apis: readonly ApiEnvironments[], subject: string | undefined) {
  const choices = useEnvironmentChoices()
  const overrides = apis.map((api) => overrideOf(api, choices, subject))
  const chosen = apis.map((api) => chosenEnvironment(api, choices, subject))
  const names = [...new Set(overrides.filter((name) => name !== undefined))]
  // Without a choice for the project, its place at the top right says so.
  const isUnset = choices.project !== undefined && chosen.includes(undefined)
  return {
    overrides,
    words:
      names.length === 1
        ? names[0]
        : names.length > 1
          ? "per API"
          : isUnset
            ? "Choose environment…"
            : undefined,
    isProduction: apis.some(({ environments }, index) =>
      environments.some(({ name, level }) => name === overrides[index] && level === "production"),
    ),
  }
}

interface ItemsOf extends Pick<Props, "apis" | "subject" | "onPerApi"> {
  readonly state: ReturnType<typeof useOverrides>
}

function menuItems({ apis, subject, onPerApi, state }: ItemsOf): readonly MenuItem[] {
  const { overrides } = state
  const has = ({ environments }: ApiEnvironments, name: string): boolean =>
    environments.some((known) => known.name === name)
  return [
    {
      label: "As the project",
      isChosen: overrides.every((name) => name === undefined),
      does: () => chooseEnvironment(apis, subject, undefined),
    },
    ...environmentNames(apis).map((name) => ({
      label: environmentLabel(name, apis),
      isChosen: apis.every((api, index) => !has(api, name) || overrides[index] === name),
      does: () => chooseEnvironment(apis, subject, name),
    })),
    ...(onPerApi === undefined ? [] : [{ label: "Choose per API…", does: onPerApi }]),
  ]
}
