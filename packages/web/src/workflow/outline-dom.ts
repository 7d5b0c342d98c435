// Element ids of the editor, and functions that move the focus between its parts.

export const outlineId = "blocks"
export const panelId = "block-panel"
export const addBlockId = "add-block"

export const rowDomId = (index: number): string => `block-${index}`

/** A workflow without blocks has no outline, so its add button gets the focus. */
export const focusOutline = (): void =>
  document.querySelector<HTMLElement>(`#${outlineId}, #${addBlockId}`)?.focus()

export function focusForm(): void {
  const panel = document.querySelector<HTMLElement>(`#${panelId}`)
  const field =
    panel?.querySelector<HTMLElement>("[data-first-field]") ??
    panel?.querySelector<HTMLElement>("input, select, textarea, button")
  ;(field ?? panel)?.focus()
  if (field instanceof HTMLInputElement) field.select()
}
