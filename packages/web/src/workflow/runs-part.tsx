// The runs of a workflow: the form, the report, the history, and a command that runs it.

import { isWorkflowName, type Problem } from "@callsheet/format"
import { filePath, type WorkflowView } from "@callsheet/server/calls"
import { RouteLink } from "../routes/route-link.tsx"
import { RunPart } from "../runs/run-part.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { shellWord } from "../ui/visible-text.ts"
import { count } from "../ui/formats.ts"
import { CodeBlock } from "../ui/copy-button.tsx"
import { useProblemsOf } from "../connection/queries.ts"
import { useRunOptions } from "../runs/state/drafts.ts"
import { Section, Facts, FileName, OwnProblems } from "../files/page-parts.tsx"

export function RunsPart({ workflow }: { readonly workflow: WorkflowView }) {
  const { name, apis, blocks } = workflow
  const file = filePath({ kind: "workflow", workflow: name })
  const problems = useProblemsOf((path) => path === file || path.startsWith(`apis/workflow/scripts/${name}/`))
  const word = shellWord(name)
  const options = useRunOptions(name)
  const below = (reported: readonly Problem[]) => (
    <>
      <Section title="About">
        <Facts
          facts={[
            ["Blocks", blocks === undefined ? "can't be read" : count(blocks, "block")],
            ["APIs", <Apis names={apis} />],
            ["File", <FileName path={file} />],
          ]}
        />
      </Section>
      <CommandSection
        commands={word === undefined ? [] : [`callsheet run ${word}${options}`, `callsheet validate ${word}`]}
      />
      {/* Last, because problems arrive later and must not move other content. */}
      <OwnProblems
        problems={problems.filter((problem) => !reported.some((one) => isSame(one, problem)))}
        showsFiles={problems.some((problem) => problem.file !== file)}
      />
    </>
  )
  return (
    <div className="view-run">
      {blocks === undefined || !isWorkflowName(name) ? (
        below([])
      ) : (
        <RunPart key={name} workflow={name}>
          {below}
        </RunPart>
      )}
    </div>
  )
}

const isSame = (one: Problem, other: Problem): boolean =>
  one.file === other.file && one.line === other.line && one.message === other.message

function Apis({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return "none"
  return (
    <ul className="names">
      {names.map((name) => (
        <li key={name}>
          <RouteLink to={{ kind: "api", api: name }} className="tag tag-link">
            <ShownText text={name} />
          </RouteLink>
        </li>
      ))}
    </ul>
  )
}

/** Commands to copy. */
function CommandSection({ commands }: { readonly commands: readonly (string | undefined)[] }) {
  const sound = commands.filter((command) => command !== undefined)
  if (sound.length === 0) return null
  return (
    <Section title="In a terminal">
      {sound.map((command) => (
        <CodeBlock key={command} text={command} what="command" />
      ))}
    </Section>
  )
}
