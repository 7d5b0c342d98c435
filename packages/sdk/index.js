// No runtime code: this package contains only types. The file makes a plain `import` of it work. It is CommonJS because both
// kinds of modules can import that, which compilers before 5.8 require even for type imports.
module.exports = {}
