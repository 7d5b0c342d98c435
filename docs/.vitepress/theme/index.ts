// The theme of VitePress, with the fonts of the system and captions for files.

import theme from "vitepress/theme-without-fonts"
import "./style.css"

export default theme
