// The ids of elements in the editor, and functions that move the focus between them.

export const outlineId = "blocks"
export const panelId = "block-panel"
export const addBlockId = "add-block"

export const rowDomId = (index: number): string => `block-${index}`

/** Without blocks, a workflow has no outline. The button to add one then gets the focus. */
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

/** Focuses the operation of a new request block, and opens the search. Waits until its form is rendered. */
export const searchOperation = (): void =>
  void requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLElement>(
        `#${panelId} [data-pointer='["request","operation"]'] input`,
      )
      field?.focus()
      field?.click()
    }),
  )
