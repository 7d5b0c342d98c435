// An environment of an API: how dangerous it is, what it inherits from, and what can be done with it.

import type { ApiView } from "../../api.ts"
import { environmentFile } from "../data/project-files.ts"
import { useProblemsOf } from "../data/use-problems.ts"
import { LevelBadge } from "../parts/level-badge.tsx"
import { PlaceLink } from "../places/place-link.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { shellWord } from "../text/shell-word.ts"
import { CommandSection } from "./command-section.tsx"
import { Facts } from "./facts.tsx"
import { FileName } from "./file-name.tsx"
import { Missing } from "./missing.tsx"
import { OwnProblems } from "./own-problems.tsx"
import { ViewHead } from "./view-head.tsx"

const consequences = {
  production: "A run against it asks first, before anything is sent.",
  staging: "A run against it does not ask first.",
  local: "A run against it does not ask first.",
}

export function EnvironmentPage({ api, name }: { readonly api: ApiView; readonly name: string }) {
  const environment = api.environments.find((known) => known.name === name)
  const file = environmentFile(api.name, name)
  const secrets = file.replace(/json$/, "secrets.env")
  const problems = useProblemsOf((path) => path === file || path === secrets)
  if (environment === undefined) return <Missing what="environment" name={name} />
  const { level, extends: parent } = environment
  return (
    <div className="view">
      <ViewHead
        what={
          <>
            Environment of{" "}
            <PlaceLink to={{ kind: "api", api: api.name }}>
              <ShownText text={api.name} />
            </PlaceLink>
          </>
        }
        name={name}
        badge={<LevelBadge level={level} />}
        description={consequences[level]}
      />
      <Facts
        facts={[
          ["Inherits from", parent === undefined ? "nothing" : <Parent api={api} name={parent} />],
          ["Values", <FileName path={file} />],
        ]}
      />
      <OwnProblems problems={problems} />
      <CommandSection commands={commandsFor(api.name, name)} />
    </div>
  )
}

function Parent({ api, name }: { readonly api: ApiView; readonly name: string }) {
  return (
    <PlaceLink to={{ kind: "environment", api: api.name, environment: name }}>
      <ShownText text={name} />
    </PlaceLink>
  )
}

function commandsFor(api: string, environment: string): readonly string[] {
  const [apiWord, environmentWord] = [shellWord(api), shellWord(environment)]
  if (apiWord === undefined || environmentWord === undefined) return []
  return [
    `callsheet env read ${apiWord} ${environmentWord}`,
    `callsheet run --all --env ${apiWord}=${environmentWord}`,
  ]
}
