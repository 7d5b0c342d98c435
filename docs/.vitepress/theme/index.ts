// The theme of VitePress, with captions for files.

import theme from "vitepress/theme"
import "./style.css"

export default theme
