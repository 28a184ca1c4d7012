import { type ImageSet, imageSet } from './image-set.ts';
import { channelsOf, type NeededRelease } from './needed-releases.ts';
import type { OperatorContent } from './operator-content.ts';

/** The configurations for oc-mirror; null when nothing is to be mirrored. */
export function imageSetOf(needed: readonly NeededRelease[], operators?: OperatorContent): ImageSet | null {
  if (needed.length === 0) return null;
  return imageSet(
    needed.map(({ step, arch }) => ({ version: step.version, arch, channels: channelsOf(step) })),
    operators,
  );
}

/** All files in one text, with a note when there are several; `otherwise` ends it with another way to get them. */
export function imageSetText({ files, splitBecause }: ImageSet, otherwise = ''): string {
  if (splitBecause === null) return files.map(({ yaml }) => yaml).join('');
  const note = `# ${files.length} files: ${splitBecause}.\n# Save each part under its name${otherwise}.\n`;
  return note + files.map(({ name, yaml }) => `---\n# ${name}\n${yaml}`).join('');
}
