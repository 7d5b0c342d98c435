/** A file's name may have 255 bytes, and the longest that is made of a name is `<name>.secrets.env`. */
export const MAX_NAME_LENGTH = 255 - ".secrets.env".length
