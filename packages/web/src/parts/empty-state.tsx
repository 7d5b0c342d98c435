// Shown in place of missing content: what the page is for, and what to do first.

import type { ReactNode } from "react"

export function EmptyState({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
