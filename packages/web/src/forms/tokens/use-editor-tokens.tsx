// The cards of placeholders in the code editor of a workflow or a saved request.

import { useMemo, useRef, type ReactNode } from "react"
import { createOffsetFinder, jsonPointersAt, valueAt, type LineColumn, type Problem } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { apiOfBlock, type Reading } from "../completion/roots.ts"
import { projectQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import type { EditorToken, PlaceholderActions } from "../../files/code-mirror/placeholders.ts"
import { fileKey } from "../../files/file-key.ts"
import { openFileNow } from "../../files/open-files.ts"
import { blockLength } from "../../blocks/block-problems.ts"
import { later } from "../../ui/later.tsx"
import { useShownToken } from "./use-shown-token.ts"

const [TokenCard] = later(async () => (await import("./token-card.tsx")).TokenCard)

interface EditorTokens {
  /** Undefined for files without placeholders. */
  readonly actions: PlaceholderActions | undefined
  readonly card: ReactNode
}

export function useEditorTokens(
  name: FileName,
  problems: readonly Problem[],
  focusEditor: () => void,
): EditorTokens {
  const shownToken = useShownToken<EditorToken>()
  const latest = useRef(shownToken)
  latest.current = shownToken
  const goTo = async (token: EditorToken): Promise<void> => {
    latest.current.hide()
    const { goToDefinition } = await import("./go-to-definition.ts")
    await goToDefinition(token.path, readingAt(name, token))
  }
  const actions = useMemo(
    (): PlaceholderActions | undefined =>
      name.kind === "workflow" || name.kind === "request"
        ? {
            onHover: (token) => latest.current.hover(token),
            onShow: (token) => latest.current.show(token, true),
            onGo: (token) => void goTo(token),
          }
        : undefined,
    [fileKey(name)],
  )
  const { shown, hide, hover } = shownToken
  if (shown === undefined) return { actions, card: null }
  const { token, takesFocus } = shown
  const card = (
    <div
      onMouseMove={() => hover("card")}
      onMouseLeave={() => hover(undefined)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) hide()
      }}
    >
      <TokenCard
        path={token.path}
        reading={readingAt(name, token)}
        problem={problems.find(({ line, column }) => line === token.line && column === token.column)}
        takesFocus={takesFocus}
        anchor={token.element}
        onGo={() => void goTo(token)}
        onClose={() => {
          hide()
          focusEditor()
        }}
      />
    </div>
  )
  return { actions, card }
}

/** Returns the block at a position in the text of a file. */
function readingAt(name: FileName, place: LineColumn): Reading {
  const apis = queryClient.getQueryData(projectQuery.queryKey)?.apis.map(({ name: api }) => api) ?? []
  if (name.kind === "request") return { workflow: undefined, pointer: [], api: name.api, apis }
  const { text, value } = openFileNow(name)
  if (name.kind !== "workflow" || value === undefined)
    return { workflow: undefined, pointer: [], api: undefined, apis }
  const [at = []] = jsonPointersAt(text, [createOffsetFinder(text)(place)])
  const pointer = at.slice(0, blockLength(at))
  return {
    workflow: { name: name.workflow, value },
    pointer,
    api: apiOfBlock(valueAt(value, pointer) ?? null),
    apis,
  }
}
