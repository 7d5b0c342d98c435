// Writes the types of block results: the response of a request, the outputs of a transform.

import {
  hasOutputs,
  hasResponse,
  hasTokens,
  memberType,
  parsePathOnce,
  unknownType,
  type Block,
  type RequestBlock,
  type TransformBlock,
  type ValueType,
} from "@callsheet/format"
import type { NameMeaning } from "../types/static-scope.ts"
import type { ScriptsGround } from "./scripts-ground.ts"
import { propertyName, quoteLiteral, type TakeName, type TypeTexts } from "./type-texts.ts"

interface ResultsGround extends Pick<ScriptsGround, "readable" | "scope" | "responseOf"> {
  readonly types: TypeTexts
  readonly takeName: TakeName
  readonly scriptsFolder: string
  readonly scriptNames: readonly string[]
}

export class ResultsText {
  readonly #ground: ResultsGround
  readonly #named = new Map<Block, string>()
  readonly #texts: string[] = []

  constructor(ground: ResultsGround) {
    this.#ground = ground
  }

  nameOf(block: Block): string {
    if (this.#ground.readable.broken.has(block)) return "unknown"
    let name = this.#named.get(block)
    if (name === undefined) {
      name = this.#ground.takeName(`${block.id} result`)
      this.#named.set(block, name)
      this.#texts.push(`type ${name} = ${this.#text(block)}\n`)
    }
    return name
  }

  declarations(): string {
    return this.#texts.join("")
  }

  #text(block: Block): string {
    if (hasResponse(block)) return this.#requestText(block)
    return hasOutputs(block) ? this.#transformText(block) : "unknown"
  }

  #requestText(block: RequestBlock): string {
    const { type, otherwise } = this.#ground.responseOf(block)
    const headers = memberType(type, "headers")?.names() ?? []
    const parts = [
      `sdk.ResponseParts${headers.length === 0 ? "" : `<${headers.map(quoteLiteral).join(" | ")}>`}`,
    ]
    const body = memberType(type, "body")
    if (body !== undefined) parts.push(this.#bodyText(body, `${block.id} body`))
    if (memberType(type, "bodyText") !== undefined) parts.push("{ bodyText: string }")
    const other = otherwise && memberType(otherwise, "body")
    if (other !== undefined) parts.push(`sdk.Otherwise<${this.#bodyText(other, `${block.id} other body`)}>`)
    return `{ response: ${parts.join(" & ")} }`
  }

  #bodyText(body: ValueType, preferredName: string): string {
    return `{ body: ${this.#ground.types.text(body, preferredName)} }`
  }

  #transformText(block: TransformBlock): string {
    if (block.transforms === undefined) return this.#scriptText(block)
    const outputs = Object.entries(block.transforms).map(([name, path]) => {
      const { type, isCertain } = this.#output(block, path)
      const text = this.#ground.types.text(type, `${block.id} ${name}`)
      return `${propertyName(name)}${isCertain ? "" : "?"}: ${text}`
    })
    return `{ ${outputs.join("; ")} }`
  }

  #scriptText({ script }: TransformBlock): string {
    const { scriptsFolder, scriptNames } = this.#ground
    if (script === undefined || hasTokens(script.exportName) || !scriptNames.includes(script.name))
      return "unknown"
    const file = quoteLiteral(`${scriptsFolder}/${script.name}.js`)
    return `sdk.Outputs<(typeof import(${file}))[${quoteLiteral(script.exportName)}]>`
  }

  #output(block: TransformBlock, path: string): { readonly type: ValueType; readonly isCertain: boolean } {
    const visit = this.#ground.scope.visitOf(block)
    const parsed = hasTokens(path) ? undefined : parsePathOnce(path)
    if (visit === undefined || parsed?.ok !== true) return { type: unknownType, isCertain: false }
    const { type, issue } = this.#ground.scope.resolve([path], { visit })
    const meaning = this.#ground.scope.meaningOf(parsed.segments[0], { visit })
    return { type, isCertain: issue === undefined && this.#isCertain(meaning, parsed.segments) }
  }

  #isCertain(meaning: NameMeaning | undefined, segments: readonly string[]): boolean {
    if (meaning?.is !== "result" || !meaning.isCertain || !hasResponse(meaning.block)) return false
    const [, response, part, ...rest] = segments
    if (part === undefined) return response === "response" || response === undefined
    let here = memberType(this.#ground.responseOf(meaning.block).type, part)
    if (part === "headers" && rest.length > 0) return false
    for (const segment of rest) {
      if (here?.required().includes(segment) !== true || here.kinds?.size !== 1) return false
      here = memberType(here, segment)
    }
    return here !== undefined
  }
}
