// Positions of the members and values of a well-formed JSON text, so that they can be cut, moved and renamed.

export interface ValueSpan {
  readonly from: number
  readonly to: number
  /** Its key with quotes, if it is a member of an object. */
  readonly key?: { readonly from: number; readonly to: number }
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Every value of the text, in the order of their ends. */
export function findSpans(text: string): readonly ValueSpan[] {
  const spans: ValueSpan[] = []
  const open: { readonly from: number; readonly key: ValueSpan["key"] }[] = []
  let key: ValueSpan["key"]
  let last: { readonly from: number; readonly to: number } | undefined
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const span = { from: index, to: index + token.length }
    if (token === ":") {
      spans.pop()
      key = last
    } else if (token === "{" || token === "[") {
      open.push({ from: index, key })
      key = undefined
    } else if (token === "}" || token === "]") {
      const container = open.pop()
      if (container !== undefined) spans.push(spanOf({ from: container.from, to: span.to }, container.key))
    } else if (token !== ",") {
      spans.push(spanOf(span, key))
      key = undefined
    }
    last = span
  }
  return spans
}

const spanOf = (span: { readonly from: number; readonly to: number }, key: ValueSpan["key"]): ValueSpan =>
  key === undefined ? span : { ...span, key }
