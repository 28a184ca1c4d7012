// Stands in for node:process in Lambda bundles.
module.exports = process.getBuiltinModule('node:process');
