// Alias of node:process in Lambda bundles.
module.exports = process.getBuiltinModule('node:process');
