// Alias of node:https in Lambda bundles.
module.exports = process.getBuiltinModule('node:https');
