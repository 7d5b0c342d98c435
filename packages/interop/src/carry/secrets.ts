// Replaces the secrets that are known to a project or to its import, so that none gets into a file that Git keeps. Every
// text and every name of a source passes this module on its way into a file.

import {
  asciiSlug,
  getOrCreate,
  knownSecrets,
  operatorNames,
  processVariableName,
  toText,
  unicodeSlug,
  type EnvironmentFiles,
  type ProcessEnvironment,
} from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { reasons } from "../messages.ts"
import type { Loss, Segment } from "../model.ts"
import { hasVariables, mapText, plainText, variableText, type Text } from "../text.ts"
import * as names from "./names.ts"
import { searchInPieces, type SecretSearch } from "./search-pieces.ts"
import { endsWithValue, type SecretCause } from "./secret-values.ts"

/** A variable with a secret value: of the project, of the source, or made for a secret that the source writes literally. */
type Holder =
  | { readonly is: "project"; readonly api: string; readonly name: string }
  | { readonly is: "source"; readonly name: string }
  | ({ readonly is: "found" } & FoundSecret)

/** A secret that the source writes literally, with the name that its variable gets if it's free. */
export interface FoundSecret {
  readonly hint: string
  /** The request, for a name that differs from that of another secret. */
  readonly request?: string | undefined
  readonly value: string
  readonly cause: SecretCause
}

export interface SecretValue {
  readonly value: string
  readonly holder: Holder
}

export type CreateSearch = (secrets: readonly string[]) => SecretSearch

/** Returns the secrets of a project, in all its environments and in variables of the process. */
export const secretsOf = (
  environments: readonly EnvironmentFiles[],
  process: ProcessEnvironment,
): readonly SecretValue[] =>
  environments.flatMap((files) => {
    const { api, variables } = files
    const written = [...files.environments.values()].flatMap(({ values }) =>
      [...values].flatMap(([name, value]) =>
        variables.get(name)?.secret === true && value !== null && typeof value !== "object"
          ? { name, value: toText(value) }
          : [],
      ),
    )
    const defaults = [...variables].flatMap(([name, { secret, default: value }]) =>
      secret === true && value !== undefined ? [{ name, value: toText(value) }] : [],
    )
    // A secret of the process comes with the name of its process variable.
    const declared = new Map([...variables.keys()].map((name) => [processVariableName(api, name), name]))
    return [...knownSecrets(files, process), ...written, ...defaults].map(({ name, value }): SecretValue => {
      const holder = { is: "project", api, name: declared.get(name) ?? name } as const
      return { value, holder }
    })
  })

export interface Secret {
  readonly value: string
  readonly holders: Holder[]
}

/** A place in a source, for the loss. */
export interface Place {
  readonly where: string
  /** Such as `header X-Id`. */
  readonly what: string
}

/** What is said about a secret that is replaced. Nothing without a place. */
interface Report {
  readonly place?: Place | undefined
  readonly reason?: ((variable: string) => Reason) | undefined
}

/** Shorter secrets occur by chance, so they count only as whole values. */
const ANYWHERE_FROM = 4

/** Words that collections contain anyway. As the value of a sample account, they would be replaced everywhere. */
const commonWords = new Set(
  "password passwd secret token test admin user username string example demo default guest root basic bearer apikey".split(
    " ",
  ),
)

/**
 * Returns whether a value is a cookie such as `locale=de` or `locale=`, which a form may contain, too. Base64 may also end
 * with an equals sign, but has capital letters or digits.
 */
const isSetting = (value: string): boolean => /^(?:[\w.-]+=[\w.-]{1,3}|[a-z_.-]+=)$/.test(value)

/** Shorter secrets may occur by chance in what callsheet writes. */
const MIN_PROOF = 8

/** The texts that callsheet writes itself. */
const ownWords =
  `version description method operation path params query header body bodyType followRedirects timeoutMs instance resource
  request transform transforms condition assertions operator source iterations maxIterations delayMs onFailure continue
  export function script exportName Base URL of the API. required default secret string number boolean variables
  application/json application/x-www-form-urlencoded multipart/form-data application/graphql application/xml text/plain
  application/javascript application/sparql-query authorization content-type user-agent accept cookie referer Bearer Basic
  import type { ScriptContext } from "@callsheet/sdk" // TODO: Translate this script. Until then, callsheet skips its block. // From
  Translate the rest of this script. // Not translated: AssertContext ConditionContext TransformContext BaseContext
  const outputs: Record<string, any> return outputs ctx.expect toEqual toContain toMatch toHaveLength toBeAtLeast toBeAtMost
  toBeBetween toBeType toBeOneOf Reads a value, whatever its type is. schemaItem responseBody given.response shared_
  ctx.untranslated apis/workflow/scripts environments/schema.json requests/ files/ README.md openapi.json
  baseUrl notContains ${operatorNames.join(" ")} response.headers
  response.status response.body durationMs contentType filename`.toLowerCase()

const MARK = "\0"

/** Returns whether the variable of a text is the mark of a secret. */
export const isMark = (name: string): boolean => name.startsWith(MARK)

/** The word for every secret in a name, so that a later import finds the same names. Numbers keep names apart. */
const WORD = "secret"

export class Secrets {
  readonly losses: Loss[] = []
  readonly #secrets: readonly Secret[]
  readonly #bySearch: readonly Secret[]
  readonly #short: ReadonlyMap<string, Secret>
  readonly #search: SecretSearch
  readonly #found = new Map<string, ReturnType<SecretSearch>>()

  constructor(known: readonly SecretValue[], createSearch: CreateSearch) {
    const byValue = new Map<string, Secret>()
    for (const { value, holder } of known) {
      if (value.trim() === "" || commonWords.has(value.toLowerCase()) || isSetting(value)) continue
      if (endsWithValue(holder.is === "found" ? holder.hint : holder.name, value)) continue
      getOrCreate(byValue, value, () => ({ value, holders: [] })).holders.push(holder)
    }
    this.#secrets = [...byValue.values()]
    this.#short = new Map(
      this.#secrets.flatMap((one) => (one.value.length < ANYWHERE_FROM ? [[one.value, one]] : [])),
    )
    // A source may contain the names that are made from a secret, too.
    const forms = this.#secrets.flatMap((one) =>
      one.value.length < ANYWHERE_FROM
        ? []
        : [
            one.value,
            asciiSlug(one.value, ""),
            unicodeSlug(one.value, ""),
            names.variableName(one.value),
            names.camelCase(one.value),
          ]
            .filter((form, at) => at === 0 || form.length >= ANYWHERE_FROM)
            .map((form) => ({ form, one })),
    )
    this.#bySearch = forms.map(({ one }) => one)
    const longest = Math.max(0, ...forms.map(({ form }) => form.length))
    const search = forms.length === 0 ? () => [] : createSearch(forms.map(({ form }) => form))
    this.#search = searchInPieces(search, longest)
  }

  /** Returns whether the text is a secret or contains one. */
  has = (text: string): boolean => this.#short.has(text) || this.#find(text).length > 0

  /** Returns whether one of the values of a variable contains a secret, so that the variable is one, too. */
  holds(values: readonly string[], place: Place): boolean {
    const isSecret = values.some((one) => this.has(one))
    if (isSecret) this.losses.push({ ...place, reason: reasons.secretVariable() })
    return isSecret
  }

  /** Returns the variable of the first secret in a text. */
  first(text: string): string | undefined {
    const [found] = this.#find(text)
    const secret = this.#short.get(text) ?? (found && this.#bySearch[found.secret])
    return secret && this.#labelOf(secret)
  }

  /**
   * Returns the variable of a secret that is in a text after all: the last check before files are written. A word that
   * callsheet itself writes proves nothing.
   */
  leftIn(text: string): string | undefined {
    const left = this.#find(text)
      .map(({ secret }) => this.#bySearch[secret])
      .find(
        (one) =>
          one !== undefined && one.value.length >= MIN_PROOF && !ownWords.includes(one.value.toLowerCase()),
      )
    return left && this.#labelOf(left)
  }

  /** Replaces secrets in a value by variables. */
  text(text: Text, place: Place): Text {
    const short = hasVariables(text) ? undefined : this.#short.get(text)
    if (short !== undefined) return this.#mark(short, place)
    return mapText(text, (part) => this.#replace(part, (one) => this.#mark(one, place)), variableText)
  }

  /** Replaces secrets in a text that may be JSON, in which a short one is a whole value. */
  json = (text: Text, place: Place): Text =>
    this.text(this.#short.size === 0 ? text : this.#jsonValues(text, place), place)

  #jsonValues = (text: Text, place: Place): Text =>
    text.replaceAll(
      /("(?:\\[^]?|[^"\\])*(?:"|$))([ \t\r\n]*:)?|[^\s"{}[\],:\ue000-\ue002]+/g,
      (whole, string?: string, colon?: string) => {
        const short = colon === undefined ? this.#short.get(string?.slice(1, -1) ?? whole) : undefined
        if (short === undefined) return whole
        const mark = this.#mark(short, place)
        return string === undefined ? mark : `"${mark}"`
      },
    )

  /** Returns whether a text has a secret that its parts don't have: one with characters that separate them. */
  isParted = (text: Text): boolean =>
    this.#find(text).some(({ from, to }) => /[/?#&=+\r\n]/.test(text.slice(from, to)))

  /** Replaces secrets in the segments of a path, which may contain a part of one. */
  path(path: readonly Segment[], place: Place): readonly Segment[] {
    const clean = path.map((segment) => ({ ...segment, text: this.text(segment.text, place) }))
    const joined = clean.map(({ text }) => text).join("/")
    const whole = this.text(joined, place)
    return whole === joined ? clean : whole.split("/").map((text) => ({ text }))
  }

  /** Replaces secrets in a name by a word. */
  name = (text: string, place?: Place): string => this.#replace(text, () => WORD, { place })

  /** Replaces secrets in a document by a word, which is valid wherever it may have one: in a name, a path or an example. */
  document = (text: string, place: Place): string =>
    this.#replace(text, () => WORD, { place, reason: reasons.secretInDocument })

  /** Replaces secrets in a text for people, such as a comment. */
  prose = (text: string, place?: Place): string => this.#replace(text, () => "***", { place })

  /** Returns a name of ASCII letters, as APIs, environments and workflows have. */
  slug = (text: string, fallback: string, place?: Place): string =>
    this.name(asciiSlug(this.name(text, place), fallback), place)

  /** Returns a name of any letters, as block ids and files have. */
  unicodeSlug = (text: string, fallback: string, place?: Place): string =>
    this.name(unicodeSlug(this.name(text, place), fallback), place)

  variableName = (text: string, place?: Place): string =>
    this.name(names.variableName(this.name(text, place)), place)

  /** Replaces the marks in a text that becomes a name. */
  unmark = (text: Text): Text =>
    mapText(
      text,
      (part) => part,
      (name) => (this.marked(name) === undefined ? variableText(name) : WORD),
    )

  /** Returns the secret that a mark in a text stands for, by the name of the mark. */
  marked(name: string): Secret | undefined {
    return isMark(name) ? this.#secrets[Number(name.slice(1))] : undefined
  }

  #mark(secret: Secret, place: Place): Text {
    this.#lose(secret, place, reasons.secretByVariable)
    return variableText(`${MARK}${this.#secrets.indexOf(secret)}`)
  }

  #lose = (secret: Secret, { where, what }: Place, reason: (label: string) => Reason): void =>
    void this.losses.push({ where, what: `secret in ${what}`, reason: reason(this.#labelOf(secret)) })

  #labelOf({ holders }: Secret): string {
    const holder = holders.find(({ is }) => is === "project") ?? holders[0]
    return holder === undefined ? "" : this.name(labelOf(holder))
  }

  #replace(text: string, by: (secret: Secret) => string, { place, reason }: Report = {}): string {
    let replaced = ""
    let end = 0
    for (const { from, to, secret } of this.#find(text)) {
      const found = this.#bySearch[secret]
      if (found === undefined) continue
      // A secret that only the project knows may be a word that the document needs. Those of the source are samples there.
      const isOfSource = found.holders.some(({ is }) => is !== "project")
      const said = isOfSource ? reason : undefined
      if (place !== undefined) this.#lose(found, place, said ?? reasons.secretRemoved)
      replaced += text.slice(end, from) + by(found)
      end = to
    }
    return replaced + text.slice(end)
  }

  #find(text: string): ReturnType<SecretSearch> {
    if (this.#bySearch.length === 0) return []
    if (text.length > MAX_REMEMBERED) return this.#search(text)
    return getOrCreate(this.#found, text, this.#search)
  }
}

/** The results for short texts are kept, because names repeat. */
const MAX_REMEMBERED = 200

const labelOf = (holder: Holder): string =>
  holder.is === "project"
    ? `${holder.api}.${holder.name}`
    : plainText(holder.is === "source" ? holder.name : holder.hint)
