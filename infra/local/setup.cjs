// Installs the locked dependencies once per lock file and platform. Plain CommonJS: it runs on any Node, before the
// pinned Node is installed.
'use strict';
const { createHash } = require('node:crypto');
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const stampFile = join(root, 'node_modules', '.cairn-setup');
const fail = (message) => {
  console.error(`setup: ${message}`);
  process.exit(1);
};

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Node ${process.versions.node} is too old, install Node 20 or newer`);
}
const stamp = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');
const installed = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

if (!installed) {
  console.log('setup: installing dependencies (once, about a minute)');
  const npm = process.env.npm_execpath;
  const npmArguments = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, stdio: 'inherit' };
  const result = npm
    ? spawnSync(process.execPath, [npm, ...npmArguments], options)
    : spawnSync('npm', npmArguments, { ...options, shell: process.platform === 'win32' });
  if (result.status !== 0) {
    fail(`npm ci ended with ${result.status ?? result.signal}; see the lines above`);
  }
  writeFileSync(stampFile, stamp);
}

// Sources run without a build step, which needs the type stripping of Node 24; npm installs it for the common
// platforms.
const nodeBinary = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
if (!existsSync(nodeBinary) && Number(process.versions.node.split('.')[0]) < 24) {
  fail(`no Node 24 package for ${process.platform}-${process.arch}; install Node 24 yourself and run again`);
}
