// Encodes the UTF-8 bytes of a text as Base64, however long it is.

/** Encodes a text. Not with the bytes as arguments of one call, because the stack has no room for many. */
export const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))
