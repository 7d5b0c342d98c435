// The title of the window: the project's name, and nothing that is secret.

import { useEffect } from "react"
import { visibleText } from "../text/visible-text.ts"

export function usePageTitle(project: string | undefined): void {
  useEffect(() => {
    document.title = project === undefined ? "callsheet" : `${visibleText(project).slice(0, 100)} · callsheet`
  }, [project])
}
