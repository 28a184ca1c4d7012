import type { Context } from 'aws-lambda';

export function aContext(): Context {
  return {
    awsRequestId: 'test',
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'test',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:test',
    logGroupName: 'test',
    logStreamName: 'test',
    memoryLimitInMB: '128',
    getRemainingTimeInMillis: () => 1000,
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
