import { build, cleanUp } from './package.ts';
import { restoreManifest, swapManifest } from './swap.ts';

/** Called by npm: prepack before it makes the tarball, postpack after. */
const steps: Readonly<Record<string, () => void>> = {
  prepack() {
    const wasKilled = restoreManifest() === 'restored';
    if (wasKilled) console.error('prepack: brought back the package.json of a packing that was killed');
    build();
    swapManifest();
  },
  postpack() {
    restoreManifest();
    cleanUp();
  },
};

const [name = ''] = process.argv.slice(2);
// Standard output stays empty: that of `npm pack --json` is read by programs.
try {
  const step = steps[name];
  if (!step) throw new Error(`"${name}" is no step of packing, prepack and postpack are`);
  step();
} catch (error) {
  console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
