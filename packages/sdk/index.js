// Nothing at run time: this package is types. The file is here so that a plain `import` of it works too.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {}
