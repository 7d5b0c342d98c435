// The title of the window: a dot where something is unsaved, the place, and the project; nothing that is secret.

import { useEffect } from "react"
import { useUnsavedFiles } from "../editing/use-unsaved-files.ts"
import { placeWords } from "../places/place-words.ts"
import { usePlace } from "../places/use-place.ts"
import { visibleText } from "../text/visible-text.ts"

export function usePageTitle(project: string | undefined): void {
  const place = usePlace()
  const isUnsaved = useUnsavedFiles().length > 0
  useEffect(() => {
    const names = project === undefined ? [] : [...placeWords(place), project]
    const words = names.map((name) => visibleText(name).slice(0, 100))
    document.title = `${isUnsaved ? "● " : ""}${[...words, "callsheet"].join(" · ")}`
  }, [project, place, isUnsaved])
}
