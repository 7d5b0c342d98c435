// Writes the README of a project that an import starts: where everything is from, and how to continue.

import type { PlannedFile } from "@callsheet/format"
import { groupLosses, type Severity } from "../losses.ts"
import type { Collection } from "../model.ts"
import type { CarriedOver } from "./carry-over.ts"
import type { Secrets } from "./secrets.ts"

interface Written extends Omit<CarriedOver, "known" | "api" | "secrets"> {
  readonly collection: Collection
  readonly secrets: Secrets
  /** The files and directories as given, and the document. */
  readonly sourceNames: readonly string[]
}

const MAX_LISTED = 20
const MAX_NAME = 80

const toolNames: { readonly [S in Collection["source"]]: string } = {
  postman: "Postman",
  bruno: "Bruno",
  insomnia: "Insomnia",
  har: "HAR",
  curl: "curl",
  arazzo: "Arazzo",
  openapi: "OpenAPI",
}

const PROJECT_README = "README.md"

/**
 * A README that is written only if the project has none. From outside, it has only names: that of the collection and of
 * the sources, which are cleaned here, and those of other files of the import.
 */
export function projectReadme(written: Written): PlannedFile {
  const { collection, secrets } = written
  const text = [
    `# API tests of ${code(secrets.name(collection.root.name))}`,
    `callsheet imported this project from ${sourcesOf(written)} (${toolNames[collection.source]}).`,
    `## Where everything is from`,
    tableOf(written),
    `## How to continue`,
    stepsOf(written),
  ].join("\n\n")
  return { file: PROJECT_README, is: "first", text: `${text}\n` }
}

/** The names of the sources, without their directories: others have them elsewhere. */
function sourcesOf({ sourceNames, secrets }: Written): string {
  const names = sourceNames.map((file) => {
    if (file === "-") return "standard input"
    const name = file.replace(/[/\\]+$/, "").replace(/^.*[/\\]/s, "")
    return code(secrets.name(name))
  })
  return listed([...new Set(names)])
}

function tableOf({ files, requests, operations, saved, workflows, losses }: Written): string {
  const paths = files.map(({ file }) => file)
  const matches = (pattern: RegExp): readonly string[] => [
    ...new Set(paths.flatMap((path) => pattern.exec(path)?.[1] ?? [])),
  ]
  const documents = matches(/^(apis\/[^/]+\/openapi\.[a-z]+)$/)
  const environments = matches(/\/environments\/([^/]+)\.json$/).filter((name) => name !== "schema")
  const carried = [
    operations === 0 ? [] : `${operations} as operations of the OpenAPI document`,
    saved === 0 ? [] : `${saved} as files in ${several(matches(/^(apis\/[^/]+\/requests)\//))}`,
  ].flat()
  const scripts = `${code("apis/workflow/scripts")}, or checks in the workflows`
  const rows = [
    ["OpenAPI document", several(documents)],
    [`requests (${requests})`, carried.join(", ")],
    [
      "folders and order",
      workflows.length === 0 ? "" : `workflows in ${code("apis/workflow")}: ${several(workflows)}`,
    ],
    ["scripts and tests", paths.some((path) => path.startsWith("apis/workflow/scripts/")) ? scripts : ""],
    ["environments", several(environments)],
    [
      "secrets",
      files.some(({ is }) => is === "secrets") ? `${code("*.secrets.env")}, which git ignores` : "",
    ],
  ].filter(([, became]) => became !== "")
  return [
    "| In the source | In this project |",
    "| --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    ...groupsOf(losses, "changes-results").map((group) => `| ${group} | not the same here |`),
  ].join("\n")
}

const groupsOf = (losses: Written["losses"], severity: Severity): readonly string[] =>
  groupLosses(losses)
    .filter((group) => group.severity === severity)
    .map((group) => `${group.group} (${group.losses.length})`)

function stepsOf({ unset, untranslated, losses, workflows, files }: Written): string {
  const given = files.flatMap((file) => (file.is === "secrets" ? Object.entries(file.values) : []))
  const secrets = given.flatMap(([name, value]) => (value === "" ? [] : [name]))
  const others = losses.filter(({ what }) => what !== "script")
  const byHand = groupsOf(others, "needs-hand")
  const toSet = `Set what has no value yet with ${code("callsheet env write")}: ${several(unset)}.`
  const steps = [
    ...(unset.length === 0 ? [] : [toSet]),
    ...(secrets.length === 0
      ? []
      : [`Give your colleagues the secrets, which aren't in git: ${several([...new Set(secrets)])}.`]),
    ...(byHand.length === 0 ? [] : [`Do what the import left: ${listed(byHand)}.`]),
    ...(untranslated.length === 0
      ? []
      : [`Translate the scripts, which have the original as a comment: ${several(untranslated)}.`]),
    `Check the files: ${code("callsheet validate")}.`,
    ...(workflows.length === 0 ? [] : [`Run everything: ${code("callsheet run --all")}.`]),
    `Open the project in your browser: ${code("callsheet app")}.`,
  ]
  return steps.map((step, at) => `${at + 1}. ${step}`).join("\n")
}

function several(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(code)
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : listed(shown)
}

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`

/** Quotes a name, so that no part of it becomes markup. */
function code(name: string): string {
  const plain = name.replaceAll(/[`|\s\p{C}]+/gu, " ").trim()
  return `\`${plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain || "?"}\``
}
