/** Stands in for `node:fs/promises`, of which the SDK uses one function: it takes a file that is not there for an empty one. */
export const readFile = async (path: string): Promise<never> => {
  throw Object.assign(new Error(`${path} is not read in a Lambda`), { code: 'ENOENT' });
};
