/** Alias of `node:fs/promises`, of which the SDK uses one function; it treats a missing file as empty. */
export const readFile = async (path: string): Promise<never> => {
  throw Object.assign(new Error(`${path} is not read in a Lambda`), { code: 'ENOENT' });
};
