// Shown in place of missing content: the purpose of the page, and the first step.

import type { ReactNode } from "react"

export function EmptyState({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
