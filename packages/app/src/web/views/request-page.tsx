// A saved request, and the block that sends it.

import type { ApiView } from "../../api.ts"
import { requestFile } from "../data/project-files.ts"
import { useProblemsOf } from "../data/use-problems.ts"
import { PlaceLink } from "../places/place-link.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { blockSnippet } from "./block-snippet.ts"
import { Facts } from "./facts.tsx"
import { FileName } from "./file-name.tsx"
import { Missing } from "./missing.tsx"
import { OwnProblems } from "./own-problems.tsx"
import { SnippetSection } from "./snippet-section.tsx"
import { ViewHead } from "./view-head.tsx"

interface Props {
  readonly api: ApiView
  readonly resource: string
  readonly name: string
}

export function RequestPage({ api, resource, name }: Props) {
  const request = api.requests.find((known) => known.resource === resource && known.name === name)
  const file = requestFile(api.name, resource, name)
  const problems = useProblemsOf((path) => path === file)
  if (request === undefined) return <Missing what="saved request" name={`${resource}/${name}`} />
  const { target, description } = request
  return (
    <div className="view">
      <ViewHead
        what={
          <>
            Saved request of{" "}
            <PlaceLink to={{ kind: "api", api: api.name }}>
              <ShownText text={api.name} />
            </PlaceLink>
          </>
        }
        name={name}
        description={description}
      />
      <Facts
        facts={[
          ["Resource", <ShownText text={resource} />],
          target === undefined
            ? undefined
            : [
                "Sends",
                <code className="wrap">
                  <ShownText text={target} />
                </code>,
              ],
          ["File", <FileName path={file} />],
        ]}
      />
      <OwnProblems problems={problems} />
      <SnippetSection snippet={blockSnippet({ api: api.name, resource, instance: name })} />
    </div>
  )
}
