/** Imports a function and calls it once, as a cold start does; says what CPU time both took together. */
const [bundle = '', event = ''] = process.argv.slice(2);

const before = process.resourceUsage();
const { handler } = (await import(bundle)) as {
  handler: (event: unknown, context: object) => Promise<{ statusCode: number; body: string }>;
};
const { statusCode, body } = await handler(JSON.parse(event), {
  awsRequestId: 'bench',
  getRemainingTimeInMillis: () => 10_000,
});
const after = process.resourceUsage();

const cpuMs = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000;
process.stdout.write(JSON.stringify({ cpuMs, statusCode, body }));
// Connections are kept alive; nobody is going to use them.
process.exit();
