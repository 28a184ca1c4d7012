// Alias of node:http in Lambda bundles.
module.exports = process.getBuiltinModule('node:http');
