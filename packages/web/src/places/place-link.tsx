import type { ReactNode } from "react"
import { hashOf, type Place } from "./place.ts"

export function PlaceLink({
  to,
  className,
  children,
}: {
  readonly to: Place
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <a href={hashOf(to)} className={className ?? "link"}>
      {children}
    </a>
  )
}
