// Alias of node:crypto in Lambda bundles.
module.exports = process.getBuiltinModule('node:crypto');
