// A suite of `callsheet.json`: its runs, and its entries with the workflows that they run.

import { useMemo } from "react"
import { checkProjectFile, ownOf, PROJECT_FILE } from "@callsheet/format"
import { resolveSuite, type SuiteEntry } from "@callsheet/language"
import { suiteSubject, type ProjectView } from "@callsheet/server/calls"
import { useOpenFile } from "../../files/open-files.ts"
import { Table } from "../../ui/table.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { RunBar } from "../bar/run-bar.tsx"
import { RunPart } from "../run-part.tsx"
import { useWatchedRun } from "../state/shown-run.ts"
import { useRunKeys } from "../state/use-run-keys.ts"
import { DescriptionLine } from "../../ui/description-line.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { suiteItems, useSuiteDialog } from "./suite-items.ts"
import { shellWord } from "../../ui/visible-text.ts"
import { count } from "../../ui/formats.ts"
import { MenuButton } from "../../ui/menu.tsx"
import { CodeBlock } from "../../ui/copy-button.tsx"
import { useRunOptions } from "../state/drafts.ts"
import { BenchHead } from "../../ui/bench-head.tsx"
import { Section, Missing } from "../../files/page-parts.tsx"

const file = { kind: "project" } as const

interface Props {
  readonly suite: string
  readonly project: ProjectView
}

export function SuitePage({ suite, project }: Props) {
  const subject = suiteSubject(suite)
  useRunKeys(subject)
  useWatchedRun(subject)
  const options = useRunOptions(subject)
  const { state, text } = useOpenFile(file)
  const view = useMemo(() => suiteView(text, suite, project), [text, suite, project])
  if (state === "loading") return <div className="view" aria-busy="true" />
  if (view === undefined) return <Missing what="suite" name={suite} />
  const word = shellWord(suite)
  return (
    <div className="wf">
      <BenchHead
        parents={[
          <>
            Suite of <RouteLink to={{ kind: "settings" }}>{PROJECT_FILE}</RouteLink>
          </>,
        ]}
        name={suite}
      >
        <button
          type="button"
          className="button"
          onClick={() => useSuiteDialog.setState({ shown: { kind: "edit", suite } })}
        >
          Edit…
        </button>
        <MenuButton name={suite} items={suiteItems(suite)} />
      </BenchHead>
      <div className="wf-bar">
        <p className="suite-words">
          <DescriptionLine text={view.description ?? ""} />
        </p>
        <RunBar workflow={subject} showsFields />
      </div>
      <div className="wf-part wf-part-scrolls">
        <div className="view-run">
          <RunPart workflow={subject}>
            {() => (
              <>
                <Section title="Entries">
                  <Entries view={view} />
                </Section>
                {word === undefined ? null : (
                  <Section title="In a terminal">
                    <CodeBlock text={`callsheet run --suite ${word}${options}`} what="command" />
                  </Section>
                )}
              </>
            )}
          </RunPart>
        </div>
      </div>
    </div>
  )
}

interface Entry extends Pick<SuiteEntry, "name" | "workflow"> {
  readonly role: string
}

interface SuiteView {
  readonly description: string | undefined
  readonly entries: readonly Entry[]
  /** The problems of invalid entries, which `entries` omits. */
  readonly faults: readonly string[]
}

/** Returns the suite in the text of `callsheet.json`. Undefined if the text is invalid or has no such suite. */
function suiteView(text: string, name: string, project: ProjectView): SuiteView | undefined {
  const { settings } = checkProjectFile({ file: PROJECT_FILE, text })
  const own = ownOf(settings?.suites ?? {}, name)
  if (settings === undefined || own === undefined) return undefined
  const faults: string[] = []
  const { suite } = resolveSuite({
    settings,
    name,
    workflowNames: project.workflows.map((workflow) => workflow.name),
    report: (_pointer, _at, { message }) => void faults.push(message),
  })
  return {
    description: own.description,
    entries: [
      ...entriesOf(suite.before, "before"),
      ...entriesOf(suite.main, "main"),
      ...entriesOf(suite.finally, "finally"),
    ],
    faults,
  }
}

const entriesOf = (entries: readonly SuiteEntry[], role: string): readonly Entry[] =>
  entries.flatMap(({ name, workflow, finally: last }) => [
    { name, workflow, role },
    ...entriesOf(last, `finally of ${name}`),
  ])

const MAX_SHOWN = 200

function Entries({ view: { entries, faults } }: { readonly view: SuiteView }) {
  const workflows = new Set(entries.map(({ workflow }) => workflow)).size
  return (
    <>
      {faults.slice(0, MAX_SHOWN).map((fault, index) => (
        <p key={index} className="field-error">
          <LongText text={fault} />
        </p>
      ))}
      <p>
        {count(entries.length, "entry", "entries")} of {count(workflows, "workflow")}
      </p>
      <Table columns={["Entry", "Workflow", "Role"]}>
        {entries.slice(0, MAX_SHOWN).map(({ name, workflow, role }, index) => (
          <tr key={index}>
            <td>
              <ShownText text={name} />
            </td>
            <td>
              <RouteLink to={{ kind: "workflow", workflow }}>
                <ShownText text={workflow} />
              </RouteLink>
            </td>
            <td>
              <ShownText text={role} />
            </td>
          </tr>
        ))}
      </Table>
      {entries.length > MAX_SHOWN ? (
        <p>and {(entries.length - MAX_SHOWN).toLocaleString("en")} more</p>
      ) : null}
    </>
  )
}
