// The page: banner, sidebar, the selected route, and the overlays.

import { QueryClientProvider } from "@tanstack/react-query"
import { Menu } from "lucide-react"
import { useEffect, useRef, type ReactNode } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { Banner } from "./shell/banner.tsx"
import { useConnection } from "./connection/connection.ts"
import { queryClient } from "./connection/query-client.ts"
import { useUnsavedFiles } from "./files/use-unsaved-files.ts"
import { EnvironmentSwitcher } from "./environments/environment-switcher.tsx"
import { useImported } from "./shell/imports/imported-state.ts"
import { showImport, useImport } from "./shell/imports/import-state.ts"
import { Palette } from "./shell/search/palette.tsx"
import { Announcement, announce } from "./ui/announcement.tsx"
import { Dialog, LoadingDialog } from "./ui/dialog.tsx"
import { later } from "./ui/later.tsx"
import { Split, useNarrowWindow } from "./ui/split.tsx"
import { hashOf, routeWords } from "./routes/route.ts"
import { useRoute } from "./routes/use-route.ts"
import { useQuestion } from "./runs/state/questions.ts"
import { showGenerate, useGenerate } from "./runs/generate/generate-state.ts"
import { useSuiteDialog } from "./runs/suites/suite-items.ts"
import { showOverlay, useOverlay } from "./shell/overlay-state.ts"
import { useShortcuts } from "./shell/shortcuts/use-shortcuts.ts"
import { Sidebar } from "./shell/explorer/sidebar.tsx"
import { FileTabs } from "./shell/explorer/file-tabs.tsx"
import { visibleText } from "./ui/visible-text.ts"
import { View } from "./shell/pages/view.tsx"
import { usePasswordQuestion } from "./forms/passwords/password-question.ts"
import { useRequestDialog } from "./requests/request-items.ts"
import { showWorkflowDialog, useWorkflowDialog } from "./blocks/workflow-dialog.ts"
import { useProject } from "./connection/queries.ts"

function closeFileDialogs(): void {
  showImport(undefined)
  showWorkflowDialog(undefined)
  useRequestDialog.setState({ shown: undefined })
  useSuiteDialog.setState({ shown: undefined })
  showGenerate(undefined)
}

const LoadingFileDialog = () => <LoadingDialog onClose={closeFileDialogs} />

// Shown later, so they aren't part of what opens the page.
const [PasswordQuestionDialog] = later(
  async () => (await import("./forms/passwords/password-dialog.tsx")).PasswordQuestionDialog,
)
const [QuestionDialog] = later(async () => (await import("./runs/bar/question-dialog.tsx")).QuestionDialog)
const [ShortcutList] = later(
  async () => (await import("./shell/shortcuts/shortcut-list.tsx")).ShortcutList,
  LoadingDialog,
)
const [WorkflowDialogs] = later(
  async () => (await import("./workflow/workflow-dialogs.tsx")).WorkflowDialogs,
  LoadingFileDialog,
)
const [SuiteDialogs] = later(
  async () => (await import("./runs/suites/suite-dialogs.tsx")).SuiteDialogs,
  LoadingFileDialog,
)
const [ImportedChecklist] = later(
  async () => (await import("./shell/imports/imported-checklist.tsx")).ImportedChecklist,
)
const [ImportDialog] = later(
  async () => (await import("./shell/imports/import-dialog.tsx")).ImportDialog,
  LoadingDialog,
)
const [GenerateDialog] = later(
  async () => (await import("./runs/generate/generate-dialog.tsx")).GenerateDialog,
  LoadingFileDialog,
)
const [RequestDialogs] = later(
  async () => (await import("./requests/request-dialogs.tsx")).RequestDialogs,
  LoadingFileDialog,
)

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
  useRouteAnnounced()
  return (
    <div className="page">
      <Banner projectError={error} />
      {project === undefined ? (
        <Waiting />
      ) : (
        <Shell
          sidebar={<Sidebar project={project} />}
          tabs={
            <>
              <FileTabs project={project} />
              <EnvironmentSwitcher project={project} />
            </>
          }
        >
          <View project={project} />
        </Shell>
      )}
      {project === undefined ? null : <Overlay project={project} />}
      {project === undefined ? null : <FileDialogs project={project} />}
      <Announcement />
      <Question />
    </div>
  )
}

/** Announces a route change to screen readers. If the focused element is gone, sets the focus to the new route. */
function useRouteAnnounced(): void {
  const route = useRoute()
  const hash = hashOf(route)
  const shown = useRef(hash)
  useEffect(() => {
    if (shown.current === hash) return
    shown.current = hash
    announce(routeWords(route).map(visibleText).join(", ") || "Overview")
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("#main")?.focus()
  }, [hash, route])
}

/** Sets the window title: the route and the project, with a dot if anything is unsaved. Never contains a secret. */
function usePageTitle(project: string | undefined): void {
  const route = useRoute()
  const isUnsaved = useUnsavedFiles().length > 0
  useEffect(() => {
    const names = project === undefined ? [] : [...routeWords(route), project]
    const words = names.map((name) => visibleText(name).slice(0, 100))
    document.title = `${isUnsaved ? "● " : ""}${[...words, "callsheet"].join(" · ")}`
  }, [project, route, isUnsaved])
}

/** Shown until the project is read. Has both panes, so that the layout doesn't jump. */
function Waiting() {
  const isEnded = useConnection(({ status }) => status === "ended" || status === "lost")
  return (
    <Shell sidebar={<div className="sidebar" />} tabs={<div className="file-tabs-place" />}>
      <h1 className="only-read">callsheet</h1>
      <p className="waiting" role="status">
        {isEnded ? "Nothing to show yet." : "Loading the project…"}
      </p>
    </Shell>
  )
}

interface ShellProps {
  readonly sidebar: ReactNode
  readonly tabs: ReactNode
  readonly children: ReactNode
}

/** At most this wide, in pixels, the sidebar is an overlay. 1440 pixels at 200 % zoom are 720. */
const NARROW = 900

function Shell({ sidebar, tabs, children }: ShellProps) {
  const isNarrow = useNarrowWindow(NARROW)
  const work = (
    <div className="work">
      <div className="work-head">
        {isNarrow ? <SidebarButton /> : null}
        {tabs}
      </div>
      <Imported />
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
  if (isNarrow) return work
  return (
    <Split
      id="shell"
      label="Resize the sidebar"
      panes={[
        { id: "explorer", size: 304, minSize: 200, isFixed: true, content: sidebar },
        { id: "work", minSize: 320, content: work },
      ]}
    />
  )
}

const SidebarButton = () => (
  <button
    type="button"
    className="tool"
    aria-label="Show the sidebar"
    title="Show the sidebar (/)"
    onClick={() => showOverlay("sidebar")}
  >
    <Menu aria-hidden="true" />
  </button>
)

function Question() {
  const asked = useQuestion((state) => state.asked)
  const passwords = usePasswordQuestion((state) => state.asked)
  if (passwords !== undefined) return <PasswordQuestionDialog {...passwords} />
  if (asked === undefined) return null
  return <QuestionDialog {...asked} />
}

function FileDialogs({ project }: { readonly project: ProjectView }) {
  const isOfWorkflow = useWorkflowDialog(({ shown }) => shown !== undefined)
  const isOfRequest = useRequestDialog(({ shown }) => shown !== undefined)
  const isOfSuite = useSuiteDialog(({ shown }) => shown !== undefined)
  const imported = useImport()
  const generated = useGenerate(({ shown }) => shown)
  return (
    <>
      {isOfWorkflow ? <WorkflowDialogs project={project} /> : null}
      {isOfRequest ? <RequestDialogs project={project} /> : null}
      {imported.shown === undefined ? null : (
        <ImportDialog kind={imported.shown} start={imported.start} onClose={closeFileDialogs} />
      )}
      {generated === undefined ? null : <GenerateDialog choice={generated} onClose={closeFileDialogs} />}
      {isOfSuite ? <SuiteDialogs project={project} /> : null}
    </>
  )
}

/** What is left to do after an import, above any page, because its links lead to other pages. */
function Imported() {
  const plan = useImported((state) => state.plan)
  return plan === undefined ? null : <ImportedChecklist key={plan.plan} plan={plan} />
}

function Overlay({ project }: { readonly project: ProjectView }) {
  const shown = useOverlay((state) => state.shown)
  const close = (): void => showOverlay(undefined)
  const isNarrow = useNarrowWindow(NARROW)
  if (shown === "sidebar" && isNarrow)
    return (
      <Dialog label="Sidebar" className="dialog-sidebar" onClose={close}>
        <Sidebar project={project} />
      </Dialog>
    )
  if (shown === "palette") return <Palette project={project} onClose={close} />
  return shown === "shortcuts" ? <ShortcutList onClose={close} /> : null
}
