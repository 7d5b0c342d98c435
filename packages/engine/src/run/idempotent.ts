// Idempotent methods (RFC 9110 section 9.2.2): sending a request twice has the same effect as sending it once.

const methods = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])

export const isIdempotent = (method: string): boolean => methods.has(method)
