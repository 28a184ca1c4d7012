// Stands in for the native client of aws-lambda-ric, which would have to be compiled at install: the same four calls
// over node:http. Everything else of the runtime is the real one.
'use strict';
const http = require('node:http');
const Module = require('node:module');

const agent = new http.Agent({ keepAlive: true });
const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const url = { hostname, port, agent, method, path: `/2018-06-01/runtime/invocation/${path}` };
    const request = http.request(url, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ bodyJson: Buffer.concat(chunks).toString(), headers: response.headers }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

// The native client answers before it returns; here the next event waits for the answer to the last one.
let answered = Promise.resolve();
const client = {
  initializeClient() {},
  next: () => answered.then(() => call('GET', 'next')),
  done(id, body) {
    answered = call('POST', `${id}/response`, body);
  },
  error(id, body) {
    answered = call('POST', `${id}/error`, body);
  },
};

const load = Module._load;
Module._load = function (request, ...rest) {
  return request.endsWith('rapid-client.node') ? client : load.call(this, request, ...rest);
};
