// The places that use an operation, a saved request, a script or a variable, as links to their fields.

import { useQuery } from "@tanstack/react-query"
import { filePath, type UsePlace, type UseSubject } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { showProblem } from "../files/shown-problem.ts"
import { hashOf, routeOfFile } from "../routes/route.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { showPart } from "../routes/workflow-part.ts"
import { count } from "../ui/formats.ts"

export function UseList({ of }: { readonly of: UseSubject }) {
  const enabled = useConnection(({ status }) => status === "open")
  const { data, isError } = useQuery({
    queryKey: ["used-by", JSON.stringify(of)],
    queryFn: ({ signal }) => call("files.places", { of }, { signal }),
    enabled,
  })
  if (isError) return <p>Could not find out what uses it.</p>
  if (data === undefined) return <p className="waiting">Searching the project…</p>
  const { places, omitted } = data
  if (places.length === 0) return <p className="faint">Nothing uses it.</p>
  return (
    <ul className="used-by" aria-label="Used by">
      {places.map((place) => (
        <li key={`${filePath(place.file)} ${place.line} ${place.column}`}>
          <PlaceLink place={place} />
        </li>
      ))}
      {omitted === 0 ? null : <li className="faint">and {count(omitted, "more place")}</li>}
    </ul>
  )
}

function PlaceLink({ place: { file, line, column, block, isSure } }: { readonly place: UsePlace }) {
  return (
    <>
      <a
        className="link"
        href={hashOf(routeOfFile(file))}
        onClick={() => {
          if (file.kind === "workflow") showPart(file.workflow, "editor")
          showProblem(file, { code: "field-value", severity: "warning", message: "", line, column })
        }}
      >
        <ShownText text={file.kind === "workflow" ? file.workflow : filePath(file)} />
        {block === undefined ? null : (
          <>
            {" · "}
            <ShownText text={block} />
          </>
        )}
      </a>
      {isSure ? null : <span className="faint"> perhaps, its name has placeholders</span>}
    </>
  )
}
