// The page as a whole: banner, sidebar, what is selected, and what lies over it.

import { QueryClientProvider } from "@tanstack/react-query"
import { Banner } from "./banner/banner.tsx"
import { queryClient } from "./data/query-client.ts"
import { useProject } from "./data/use-project.ts"
import { Announcement } from "./parts/announcement.tsx"
import { usePlaceAnnounced } from "./places/use-place-announced.ts"
import { QuestionDialog } from "./run/question-dialog.tsx"
import { Overlay } from "./shortcuts/overlay.tsx"
import { useShortcuts } from "./shortcuts/use-shortcuts.ts"
import { Sidebar } from "./sidebar/sidebar.tsx"
import { usePageTitle } from "./views/use-page-title.ts"
import { View } from "./views/view.tsx"
import { Waiting } from "./views/waiting.tsx"
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
