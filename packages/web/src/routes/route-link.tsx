import type { ReactNode } from "react"
import { hashOf, type Route } from "./route.ts"

export function RouteLink({
  to,
  className,
  children,
}: {
  readonly to: Route
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <a href={hashOf(to)} className={className ?? "link"}>
      {children}
    </a>
  )
}
