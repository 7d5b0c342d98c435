// No runtime code: this package contains only types, and this file makes a plain `import` of them work. It is CommonJS,
// because compilers before 5.8 reject type imports of an ES module from CommonJS.
module.exports = {}
