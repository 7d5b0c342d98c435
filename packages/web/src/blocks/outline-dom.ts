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

const operationField = (): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#${panelId} [data-pointer='["request","operation"]'] input`)

/** Focuses the operation of a new request block, and opens the search. Waits until its form is rendered. */
export const searchOperation = (): void =>
  void requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = operationField()
      field?.focus()
      field?.click()
    }),
  )

/** Focuses the operation after a new form has replaced the focused one, unless the user has moved on. */
export const keepOperationFocus = (): void =>
  void requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const field = operationField()
    const fold = field?.closest("details:not([open])")?.querySelector("summary")
    ;(fold ?? field)?.focus()
  })
