// A button with an icon and a word. In a bar of a window that is less wide, only the icon is shown.

import type { ButtonHTMLAttributes, ReactNode } from "react"

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: ReactNode
  readonly word: string
}

export const WordButton = ({ icon, word, ...attributes }: Props) => (
  <button
    type="button"
    title={word}
    {...attributes}
    className={`button word-button ${attributes.className ?? ""}`}
    aria-label={word}
  >
    {icon}
    <span className="button-word">{word}</span>
  </button>
)
