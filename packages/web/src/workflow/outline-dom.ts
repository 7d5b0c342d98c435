// The names of the parts of the editor in the page, and how the focus goes from one to the other.

export const outlineId = "blocks"
export const panelId = "block-panel"
export const addBlockId = "add-block"

export const rowDomId = (index: number): string => `block-${index}`

/** A workflow without blocks has no outline: to the button that adds the first one. */
export const focusOutline = (): void =>
  document.querySelector<HTMLElement>(`#${outlineId}, #${addBlockId}`)?.focus()

/** To the first field. */
export function focusForm(): void {
  const panel = document.querySelector<HTMLElement>(`#${panelId}`)
  const field =
    panel?.querySelector<HTMLElement>("[data-first-field]") ??
    panel?.querySelector<HTMLElement>("input, select, textarea, button")
  ;(field ?? panel)?.focus()
  if (field instanceof HTMLInputElement) field.select()
}
