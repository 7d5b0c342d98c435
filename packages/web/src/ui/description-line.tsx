// The first paragraph of a description in one line, as CommonMark.

import { later } from "./later.tsx"
import { plainDescription } from "./plain-description.ts"

interface Props {
  readonly text: string
}

const Plain = ({ text }: Props) => <bdi>{plainDescription(text)}</bdi>

const [RichLine] = later(async () => (await import("./rich-text.tsx")).RichLine, Plain)

/** Characters that can be marks of CommonMark. Most descriptions have none, and need no parser. */
const marks = /[`*_[\]<&\\#~]|^\s*[-+>]/

export const DescriptionLine = ({ text }: Props) =>
  marks.test(text) ? <RichLine text={text} /> : <Plain text={text} />
