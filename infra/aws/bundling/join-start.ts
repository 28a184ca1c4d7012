import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';

/** Files reachable from `index.mjs`, which comes first. Aliases always count as import statements. */
export function filesOf(
  metafile: Metafile,
  kinds: readonly ('import-statement' | 'dynamic-import')[],
): string[] {
  const { outputs } = metafile;
  const files = new Set(Object.keys(outputs).filter((path) => basename(path) === 'index.mjs'));
  for (const file of files) {
    for (const { path, kind } of outputs[file]!.imports) {
      if (outputs[path] && (kinds.some((wanted) => wanted === kind) || isStandIn(metafile, path))) {
        files.add(path);
      }
    }
  }
  return [...files];
}

/**
 * Merges the files loaded at start: each extra file costs as much as 20 kB of code. esbuild splits code shared by the
 * start and on-demand parts; it moves into `index.mjs`, and the old files re-export from there.
 */
export function joinStart(metafile: Metafile, outdir: string, options: BuildOptions): void {
  const { outputs } = metafile;
  const start = filesOf(metafile, ['import-statement']);
  const onDemand = filesOf(metafile, ['import-statement', 'dynamic-import']).filter(
    (path) => !start.includes(path),
  );
  const wanted = new Set(onDemand.flatMap((path) => outputs[path]!.imports.map((imported) => imported.path)));
  const shared = start
    .filter((path) => wanted.has(path))
    .map((path, index) => ({
      file: basename(path),
      names: outputs[path]!.exports.map((name) => ({ name, inIndex: `shared${index}_${name}` })),
    }));
  buildSync({
    ...options,
    splitting: false,
    stdin: {
      contents: [
        'export { handler } from "./index.mjs";',
        ...shared.map(({ file, names }) => {
          const list = names.map(({ name, inIndex }) => `${name} as ${inIndex}`);
          return `export { ${list.join(', ')} } from "./${file}";`;
        }),
      ].join('\n'),
      resolveDir: outdir,
    },
    external: [...(options.external ?? []), ...onDemand.map((path) => `./${basename(path)}`)],
    // Every input file already has its banner.
    banner: {},
    alias: {},
    outfile: join(outdir, 'index.mjs'),
    allowOverwrite: true,
  });
  const kept = new Set(['index.mjs', ...onDemand.map((path) => basename(path))]);
  for (const file of Object.keys(outputs).map((path) => basename(path))) {
    if (!kept.has(file.replace(/\.map$/, ''))) rmSync(join(outdir, file));
  }
  for (const { file, names } of shared) {
    const list = names.map(({ name, inIndex }) => `${inIndex} as ${name}`);
    writeFileSync(join(outdir, file), `export{${list.join(',')}}from"./index.mjs";\n`);
  }
}

/** Alias that the SDK imports on demand but needs in its first call. */
function isStandIn(metafile: Metafile, path: string): boolean {
  return /^(infra\/aws\/bundling\/|<data:)/.test(metafile.outputs[path]!.entryPoint ?? '');
}
