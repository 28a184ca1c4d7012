export type Manifest = Readonly<Record<string, unknown>>;

/** Of use to those who work on the sources only. */
const LEFT_OUT = ['scripts', 'devDependencies'];

/**
 * The package.json of the tarball: that of the sources, where `./*.ts` is exported, with the JavaScript and the
 * declarations that are built from them in `dist`.
 */
export function publishedManifest(source: Manifest): Manifest {
  const published = {
    ...source,
    exports: builtExports(source['exports'] as Readonly<Record<string, string>>),
  };
  return Object.fromEntries(Object.entries(published).filter(([field]) => !LEFT_OUT.includes(field)));
}

function builtExports(exports: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, target]) => [name, builtTarget(name, target)]),
  );
}

function builtTarget(name: string, target: unknown): { readonly types: string; readonly default: string } {
  const module = typeof target === 'string' ? /^\.\/(.+)\.ts$/.exec(target)?.[1] : undefined;
  if (module === undefined) {
    throw new Error(
      `shared/package.json exports ${JSON.stringify(target)} as "${name}", only sources such as ./*.ts are accepted; ` +
        'if packing left it like this, `git checkout shared/package.json` brings it back',
    );
  }
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}
