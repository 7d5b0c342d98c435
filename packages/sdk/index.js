// Nothing at run time: this package is types. The file is here so that a plain `import` of it works too. As CommonJS it can be
// imported from modules of both kinds, which compilers before 5.8 ask for even where types alone are imported.
module.exports = {}
