// The icon of a kind of place. An operation has its method instead.

import {
  Bookmark,
  Box,
  CircleAlert,
  FileCode,
  House,
  Layers,
  ListChecks,
  Settings,
  Workflow,
  type LucideIcon,
} from "lucide-react"
import { MethodBadge } from "../ui/method-badge.tsx"
import type { Route } from "./route.ts"

const icons: { readonly [K in Exclude<Route["kind"], "operation">]: LucideIcon } = {
  overview: House,
  problems: CircleAlert,
  workflow: Workflow,
  suite: ListChecks,
  settings: Settings,
  api: Box,
  environment: Layers,
  environments: Layers,
  "environment-text": Layers,
  request: Bookmark,
  script: FileCode,
}

export function RouteIcon({ route }: { readonly route: Route }) {
  if (route.kind === "operation") return <MethodBadge method={route.method} />
  const Icon = icons[route.kind]
  return <Icon aria-hidden="true" className="row-icon" />
}
