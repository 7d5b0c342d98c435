// The page as a whole: banner, sidebar, what is selected, and what lies over it.

import { QueryClientProvider } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { Banner } from "./banner/banner.tsx"
import { useConnection } from "./connection/connection.ts"
import { queryClient } from "./data/query-client.ts"
import { useProject } from "./data/use-project.ts"
import { useUnsavedFiles } from "./editing/use-unsaved-files.ts"
import { Palette } from "./palette/palette.tsx"
import { Announcement, announce } from "./parts/announcement.tsx"
import { placeWords } from "./places/place-words.ts"
import { hashOf } from "./places/place.ts"
import { usePlace } from "./places/use-place.ts"
import { ProductionDialog } from "./run/production-dialog.tsx"
import { useQuestion } from "./run/questions.ts"
import { TrustDialog } from "./run/trust-dialog.tsx"
import { UnsavedDialog } from "./run/unsaved-dialog.tsx"
import { showOverlay, useOverlay } from "./shortcuts/overlay-state.ts"
import { ShortcutList } from "./shortcuts/shortcut-list.tsx"
import { useShortcuts } from "./shortcuts/use-shortcuts.ts"
import { Sidebar } from "./sidebar/sidebar.tsx"
import { visibleText } from "./text/visible-text.ts"
import { View } from "./views/view.tsx"
import { WorkflowDialogs } from "./workflow/workflow-dialogs.tsx"

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>
  )
}

function Page() {
  const { data: project, error } = useProject()
  useShortcuts()
  usePageTitle(project?.name)
  usePlaceAnnounced()
  return (
    <div className="page">
      <Banner projectError={error} />
      {project === undefined ? (
        <Waiting />
      ) : (
        <div className="panes">
          <Sidebar project={project} />
          <main className="main" id="main" tabIndex={-1}>
            <View project={project} />
          </main>
        </div>
      )}
      {project === undefined ? null : <Overlay project={project} />}
      {project === undefined ? null : <WorkflowDialogs project={project} />}
      <Announcement />
      <QuestionDialog />
    </div>
  )
}

/**
 * Says to those who do not see it that another place is shown, and takes a focus that has got lost with the
 * last one to it.
 */
function usePlaceAnnounced(): void {
  const place = usePlace()
  const hash = hashOf(place)
  const shown = useRef(hash)
  useEffect(() => {
    if (shown.current === hash) return
    shown.current = hash
    announce(placeWords(place).map(visibleText).join(", ") || "Overview")
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("#main")?.focus()
  }, [hash, place])
}

/**
 * The title of the window: a dot where something is unsaved, the place, and the project; nothing that is
 * secret.
 */
function usePageTitle(project: string | undefined): void {
  const place = usePlace()
  const isUnsaved = useUnsavedFiles().length > 0
  useEffect(() => {
    const names = project === undefined ? [] : [...placeWords(place), project]
    const words = names.map((name) => visibleText(name).slice(0, 100))
    document.title = `${isUnsaved ? "● " : ""}${[...words, "callsheet"].join(" · ")}`
  }, [project, place, isUnsaved])
}

/** Before the project was read for the first time: the two panes stand already, so that nothing jumps. */
function Waiting() {
  const isEnded = useConnection(({ status }) => status === "ended" || status === "lost")
  return (
    <div className="panes">
      <div className="sidebar" />
      <main className="main" id="main" tabIndex={-1}>
        <h1 className="only-read">callsheet</h1>
        <p className="waiting" role="status">
          {isEnded ? "There is nothing to show yet." : "Reading the project…"}
        </p>
      </main>
    </div>
  )
}

/** The dialog of the question that is open, if one is. */
function QuestionDialog() {
  const asked = useQuestion((state) => state.asked)
  if (asked === undefined) return null
  const { question, answer } = asked
  const props = { what: question.what, onCancel: () => answer(undefined), onConfirm: answer }
  if ("unsaved" in question)
    return <UnsavedDialog key={question.unsaved.length} files={question.unsaved} {...props} />
  return "trust" in question ? (
    <TrustDialog key={question.trust.confirmation} question={question.trust} {...props} />
  ) : (
    <ProductionDialog key={question.ask.confirmation} question={question.ask} {...props} />
  )
}

/** The palette or the list of shortcuts, where one was called, and the button that tells of them. */
function Overlay({ project }: { readonly project: ProjectView }) {
  const shown = useOverlay((state) => state.shown)
  const close = (): void => showOverlay(undefined)
  if (shown === "palette") return <Palette project={project} onClose={close} />
  return shown === "shortcuts" ? <ShortcutList onClose={close} /> : null
}
