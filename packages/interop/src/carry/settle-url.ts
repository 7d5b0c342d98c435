// Writes the values of variables in a URL that consist of several of its parts, such as a path with slashes. A saved request
// has a variable only as a whole segment or value.

import { isSecretName } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Loss, Pair, Request, Segment, Url } from "../model.ts"
import { splitUrl } from "../read/url.ts"
import { fillText, hasVariables, onlyVariable, variablesIn, variableText, type Text } from "../text.ts"
import type { Scope } from "./scope.ts"
import { isMark } from "./secrets.ts"

interface Settling {
  readonly scope: Scope
  /** The variables that scripts set, whose values only a run knows. */
  readonly setNames: ReadonlySet<string>
  /** Remembers which variables may be replaced by their values. */
  readonly plain: Map<string, boolean>
  readonly losses: Loss[]
}

/** Returns the request with a settled URL. */
export const settleUrl = (request: Request, settling: Settling): Request => ({
  ...request,
  url: new UrlSettler(request, settling).settle(),
})

class UrlSettler {
  readonly #request: Request
  readonly #settling: Settling

  constructor(request: Request, settling: Settling) {
    this.#request = request
    this.#settling = settling
  }

  settle(): Url {
    const { url } = this.#request
    const whole = this.#withServer(url)
    const segments = whole.path.map((segment) => this.#segment(segment))
    const path = segments.flatMap((one) => one.path)
    const query = [
      ...segments.flatMap((one) => one.query),
      ...whole.query.flatMap((pair) => this.#pair(pair)),
    ]
    return { ...whole, path, query }
  }

  /** Finds the server of `{{protocol}}//host`, and splits a variable that is a URL with a query. */
  #withServer(url: Url): Url {
    const { base, path, query } = url
    const value = hasVariables(base) ? this.#valueOf(base) : undefined
    const [first, second, ...rest] = path
    if (value !== undefined && /^https?:$/i.test(value) && first?.text === "" && second !== undefined)
      return { ...url, base: `${base}//${second.text}`, path: rest }
    if (value === undefined || !/[?#]/.test(value)) return url
    const inner = splitUrl(value)
    return { ...url, base: inner.base, path: [...inner.path, ...path], query: [...inner.query, ...query] }
  }

  #segment(segment: Segment): Pick<Url, "path" | "query"> {
    const text = this.#expand(segment.text, /[/?#]/)
    if (text === segment.text) return { path: [segment], query: [] }
    const { path, query } = splitUrl(`/${text}`)
    return { path, query }
  }

  /** A name without its variables, and `a=1&b=2` from a variable in place of both name and value. */
  #pair({ name, value }: Pair): readonly Pair[] {
    if (!hasVariables(name)) return [{ name, value }]
    const isWhole = value === "" && onlyVariable(name) !== undefined
    const known = this.#expand(name, isWhole ? /^/ : /^[^&=]*$/)
    return isWhole && known !== name ? splitUrl(`?${known}`).query : [{ name: known, value }]
  }

  /** Replaces the variables whose values match. */
  #expand(text: Text, matching: RegExp): Text {
    if (!hasVariables(text)) return text
    return (
      fillText(text, (name) => {
        const value = this.#valueOf(variableText(name))
        if (value !== undefined) return matching.test(value) ? value : variableText(name)
        if (this.#differs(name, matching))
          this.#settling.losses.push({
            where: this.#request.where,
            what: `variable ${name} in the URL`,
            reason: reasons.partsOfUrl(),
          })
        return variableText(name)
      }) ?? text
    )
  }

  /** Returns whether the value depends on the environment and matches in one of them. */
  #differs(name: string, matching: RegExp): boolean {
    if (!this.#isPlain(name) || matching.test("")) return false
    return this.#settling.scope.environments.some((environment) =>
      matching.test(this.#settling.scope.resolve(variableText(name), environment) ?? ""),
    )
  }

  /** Returns the value that a text has in every environment and in every run. Secrets stay variables. */
  #valueOf = (text: Text): string | undefined =>
    variablesIn(text).every((name) => this.#isPlain(name))
      ? this.#settling.scope.resolveEverywhere(text)
      : undefined

  /** Returns whether neither a script sets the variable nor a secret is in it or in the variables of its value. */
  #isPlain(name: string): boolean {
    const { scope, setNames, plain } = this.#settling
    const known = plain.get(name)
    if (known !== undefined) return known
    // Variables may repeat each other, and themselves.
    plain.set(name, true)
    const isPlain =
      !setNames.has(name) &&
      !isSecretName(name) &&
      !isMark(name) &&
      scope
        .declarations(name)
        .every(
          ({ isSecret, value }) =>
            isSecret !== true &&
            (typeof value !== "string" || variablesIn(value).every((one) => this.#isPlain(one))),
        )
    plain.set(name, isPlain)
    return isPlain
  }
}
