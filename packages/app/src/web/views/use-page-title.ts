// The title of the window: the project's name with a dot where something is unsaved, and nothing that is secret.

import { useEffect } from "react"
import { useUnsavedFiles } from "../editing/use-unsaved-files.ts"
import { visibleText } from "../text/visible-text.ts"

export function usePageTitle(project: string | undefined): void {
  const isUnsaved = useUnsavedFiles().length > 0
  useEffect(() => {
    const name = project === undefined ? "" : `${visibleText(project).slice(0, 100)} · `
    document.title = `${isUnsaved ? "● " : ""}${name}callsheet`
  }, [project, isUnsaved])
}
