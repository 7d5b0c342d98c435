// Completes a JSON file: its fields and values, the names of the project, and the paths in its texts.

import type { CompletionItem, CompletionList } from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import { shapeOf } from "../known/file-shape.ts"
import { jsonSpot, type JsonSpot } from "../known/json-file.ts"
import type { Place } from "../workspace/workspace.ts"
import { toItem, type Choice } from "./choice.ts"
import { fieldChoices, itemChoices, valueChoices } from "./fields.ts"
import { pathItems } from "./path-items.ts"
import { projectKeys, projectValues } from "./project-choices.ts"
import { requestKeys, requestValues, type FoundChoices } from "./request-choices.ts"
import { workflowValues } from "./workflow-choices.ts"

interface Request {
  readonly offset: number
  readonly context: Context
  /** The character whose typing caused the request. */
  readonly trigger: string | undefined
}

export async function completeJson(
  place: Place,
  { offset, context, trigger }: Request,
): Promise<CompletionList> {
  const spot = jsonSpot(place, offset)
  // A quote that ends a string asks for nothing.
  if (trigger === '"' && spot.place.insert.openQuote) return { isIncomplete: false, items: [] }
  const hasSnippets = context.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true
  const paths = await pathItems(spot, { context, hasSnippets })
  if (paths.isOnlyPaths) return { isIncomplete: true, items: [...paths.items] }
  const { choices, isIncomplete = false } = await choicesAt(spot)
  const others = once(choices).map((choice, index): CompletionItem =>
    toItem(choice, paths.items.length + index, { spot, hasSnippets }),
  )
  return { isIncomplete: isIncomplete || paths.items.length > 0, items: [...paths.items, ...others] }
}

/** Keeps the first choice of several with the same label. */
function once(choices: readonly Choice[]): readonly Choice[] {
  const first = new Map<string, Choice>()
  for (const choice of choices) if (!first.has(choice.label)) first.set(choice.label, choice)
  return [...first.values()]
}

async function choicesAt(spot: JsonSpot): Promise<FoundChoices> {
  const { view, file, place } = spot
  const shape = shapeOf(file.is, view)
  const isWhole = place.token === "object" || place.token === "array"
  if (shape === undefined || place.at === "outside" || isWhole) return { choices: [] }
  if (place.at === "key" || (place.at === "between" && place.container === "object"))
    return {
      choices: [
        ...fieldChoices(shape, spot, view.masker().text),
        ...projectKeys(spot),
        ...(await requestKeys(spot)),
      ],
    }
  const ofWorkflow = await workflowValues(spot)
  if (ofWorkflow !== undefined) return { choices: ofWorkflow }
  const { choices, isIncomplete } = await requestValues(spot)
  const names = [...choices, ...(await projectValues(spot))]
  return {
    choices: [...names, ...itemChoices(shape, spot), ...valueChoices(shape, spot)],
    isIncomplete: isIncomplete ?? false,
  }
}
