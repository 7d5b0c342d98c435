// Shows the CommonMark of OpenAPI descriptions (OAS 3.1, Rich Text Formatting), and tables. HTML and images are shown as text.

import { ownOf } from "@callsheet/format"
import { createElement, Fragment, type ReactNode } from "react"
import type { SyntaxNode } from "@lezer/common"
import { parser, Table } from "@lezer/markdown"
import { LongText } from "./shown-text.tsx"
import { plainDescription } from "./plain-description.ts"
import { visibleLines, visibleText } from "./visible-text.ts"

/** Long text is cut until the user expands it. */
export function RichText({ text }: { readonly text: string }) {
  return (
    <div className="rich-text">
      <LongText text={text} show={blocksOf} />
    </div>
  )
}

/** The first paragraph or heading in one line, for a row or a button. Its links are text. */
export function RichLine({ text }: { readonly text: string }) {
  const start = text.slice(0, MAX_LINE)
  const first = childrenOf(commonMark.parse(start).topNode).find(({ name }) =>
    /^Paragraph$|Heading\d$/.test(name),
  )
  return (
    <bdi>
      {first === undefined
        ? plainDescription(text)
        : inlineIn({ node: first, text: start, depth: 0, isLine: true })}
    </bdi>
  )
}

/** More characters than any row can show. */
const MAX_LINE = 1000

/** Longer text is shown as it is, because it would make the page slow. Real descriptions are far shorter. */
const MAX_LENGTH = 50_000
/** Deeper parts are shown as their source, because a hostile text could nest deeper than the stack. */
const MAX_DEPTH = 12

const commonMark = parser.configure(Table)

function blocksOf(text: string): ReactNode {
  if (text.length > MAX_LENGTH) return <p>{visibleLines(text)}</p>
  return blocksIn({ node: commonMark.parse(text).topNode, text, depth: 0 })
}

interface Part {
  readonly node: SyntaxNode
  readonly text: string
  readonly depth: number
  /** True in a row, which may be a button and can't contain a link. */
  readonly isLine?: true
}

const sourceOf = ({ node, text }: Part): string => visibleLines(text.slice(node.from, node.to))

const inner = (part: Part, node: SyntaxNode): Part => ({ ...part, node, depth: part.depth + 1 })

/** Elements that never change their order need no keys. */
const inARow = (shown: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...shown)

/** The blocks in a block. Between them are only blanks. */
function blocksIn(part: Part): ReactNode {
  if (part.depth > MAX_DEPTH) return <p>{sourceOf(part)}</p>
  const blocks = childrenOf(part.node).map((node) => (isMark(node) ? null : blockOf(inner(part, node))))
  return inARow(blocks)
}

function blockOf(part: Part): ReactNode {
  const { node } = part
  switch (node.name) {
    case "Paragraph":
      return <p dir="auto">{inlineIn(part)}</p>
    case "BulletList":
      return <ul>{blocksIn(part)}</ul>
    case "OrderedList":
      return <ol>{blocksIn(part)}</ol>
    case "ListItem":
      return <li dir="auto">{blocksIn(part)}</li>
    case "Blockquote":
      return <blockquote>{blocksIn(part)}</blockquote>
    case "FencedCode":
    case "CodeBlock":
      return <pre>{codeIn(part)}</pre>
    case "HorizontalRule":
      return <hr />
    case "Table":
      return (
        <table>
          <tbody>{blocksIn(part)}</tbody>
        </table>
      )
    case "TableHeader":
    case "TableRow":
      return <tr>{blocksIn(part)}</tr>
    case "TableCell":
      return node.parent?.name === "TableHeader" ? <th>{inlineIn(part)}</th> : <td>{inlineIn(part)}</td>
    default:
      return /Heading\d$/.test(node.name) ? (
        <p className="rich-heading" dir="auto">
          {inlineIn(part)}
        </p>
      ) : (
        <p dir="auto">{sourceOf(part)}</p>
      )
  }
}

/** The elements in a line of text, and the text between them. */
function inlineIn(part: Part, [from, to] = [part.node.from, part.node.to]): ReactNode {
  if (part.depth > MAX_DEPTH) return sourceOf(part)
  const shown: ReactNode[] = []
  let at = from
  for (const node of childrenOf(part.node).filter((child) => child.from >= from && child.to <= to)) {
    shown.push(textOf(part.text.slice(at, node.from)), isMark(node) ? "" : inlineOf(inner(part, node)))
    at = node.to
  }
  return inARow([...shown, textOf(part.text.slice(at, to))])
}

/** A single line break is a blank. */
const textOf = (text: string): string => visibleText(text.replace(/[ \t]*\r?\n[ \t]*/g, " "))

function inlineOf(part: Part): ReactNode {
  const { node, text } = part
  switch (node.name) {
    case "Emphasis":
      return <em>{inlineIn(part)}</em>
    case "StrongEmphasis":
      return <strong>{inlineIn(part)}</strong>
    case "InlineCode":
      return <code>{inlineIn(part)}</code>
    case "HardBreak":
      return part.isLine === true ? " " : <br />
    case "Entity":
      return ownOf(entities, text.slice(node.from, node.to)) ?? sourceOf(part)
    case "Escape":
      return visibleText(text.slice(node.from + 1, node.to))
    case "Link":
      return linkOf(part)
    case "Autolink":
      return inlineIn(part)
    case "URL":
      return anchor(part, text.slice(node.from, node.to), sourceOf(part))
    default:
      return sourceOf(part)
  }
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": "\u00a0",
}

/** `[text](url)`. A link without a URL that a browser opens in a tab is its text. */
function linkOf(part: Part): ReactNode {
  const [opening, closing] = childrenOf(part.node).filter(({ name }) => name === "LinkMark")
  const url = part.node.getChild("URL")
  const words = inlineIn(part, [opening?.to ?? part.node.from, closing?.from ?? part.node.to])
  return url === null ? words : anchor(part, part.text.slice(url.from, url.to), words)
}

function anchor({ isLine }: Part, url: string, words: ReactNode): ReactNode {
  if (isLine === true || !/^https?:\/\//i.test(url)) return words
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {words}
    </a>
  )
}

const codeIn = ({ node, text }: Part): string =>
  node
    .getChildren("CodeText")
    .map(({ from, to }) => visibleLines(text.slice(from, to)))
    .join("")

/** Returns whether a node is syntax that isn't shown: a mark, the language of a code block, or the delimiter of a table. */
const isMark = ({ name }: SyntaxNode): boolean =>
  /Mark$|^(?:CodeInfo|TableDelimiter|LinkReference)$/.test(name)

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}
