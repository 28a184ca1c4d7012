// Alias of node:fs in Lambda bundles.
module.exports = process.getBuiltinModule('node:fs');
