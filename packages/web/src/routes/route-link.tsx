// A link to a route, and the route's icon.

import type { ReactNode } from "react"
import { hashOf, type Route } from "./route.ts"
import {
  Bookmark,
  Box,
  CircleAlert,
  FileCode,
  FileDiff,
  House,
  Layers,
  ListChecks,
  ListX,
  SendHorizontal,
  Settings,
  Workflow,
  type LucideIcon,
} from "lucide-react"
import { MethodBadge } from "../ui/badges.tsx"

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

const icons: { readonly [K in Exclude<Route["kind"], "operation">]: LucideIcon } = {
  overview: House,
  problems: CircleAlert,
  send: SendHorizontal,
  workflow: Workflow,
  suite: ListChecks,
  settings: Settings,
  baseline: ListX,
  api: Box,
  impact: FileDiff,
  environment: Layers,
  environments: Layers,
  "environment-text": Layers,
  request: Bookmark,
  script: FileCode,
}

/** The icon of a kind of place. An operation has its method instead. */
export function RouteIcon({ route }: { readonly route: Route }) {
  if (route.kind === "operation") return <MethodBadge method={route.method} />
  const Icon = icons[route.kind]
  return <Icon aria-hidden="true" className="row-icon" />
}
