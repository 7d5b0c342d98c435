// The value `secret://<resolver>/<reference>` of a secret variable: a resolver of the user's file knows the secret.

import type { VariableDeclaration } from "./shapes.ts"

export interface SecretReference {
  readonly resolver: string
  readonly reference: string
}

/** Returns the reference that a value in a file stands for. Undefined for any other value and for other variables. */
export function secretReference(
  declaration: VariableDeclaration | undefined,
  value: unknown,
): SecretReference | undefined {
  if (declaration?.secret !== true || declaration.type !== "string" || typeof value !== "string")
    return undefined
  const [, resolver, reference] = /^secret:\/\/([^/]+)\/(.+)$/s.exec(value) ?? []
  return resolver === undefined || reference === undefined ? undefined : { resolver, reference }
}
