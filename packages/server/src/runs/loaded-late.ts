// What is loaded when the first run starts, by its names: a package that is imported as a whole would be one piece of the
// bundle, which every command then loads that uses a part of it.

export { createCookies, createHeldMask, runSession, sizeOfResults } from "@callsheet/engine"
