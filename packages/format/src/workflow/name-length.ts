/** File names are limited to 255 bytes, and the longest one made from a name is `<name>.secrets.env`. */
export const MAX_NAME_LENGTH = 255 - ".secrets.env".length
