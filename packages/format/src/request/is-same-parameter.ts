// Compares the names of two parameters in one location.

/** Header names are case-insensitive (RFC 9110 section 5.1). All other names are case-sensitive. */
export const isSameParameter = (location: string, one: string, other: string): boolean =>
  location === "header" ? one.toLowerCase() === other.toLowerCase() : one === other
