// Whether a key is typed into a text: then it is a character, and no shortcut.

/** Also in the code editor, which stands behind a shadow root. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}
