#!/usr/bin/env node
// The `callsheet` command. Not in `dist/`, so that npm can link it before the first build.
require("../dist/start.js")
