import { imageSetOf, imageSetText } from '@cairn/shared/path/image-set';
import { describe, expect, it } from 'vitest';
import { step } from '../../../helpers/path/steps.ts';

describe('the image set', () => {
  it('is none when nothing is needed', () => {
    expect(imageSetOf([])).toBeNull();
  });

  it('of one file is that file', () => {
    const set = imageSetOf([
      { step: step('4.14.3', 'stable-4.14'), arch: 'amd64' },
      { step: step('4.15.1', null, ['stable-4.15']), arch: 'arm64' },
    ])!;
    expect(imageSetText(set)).toBe(set.files[0]!.yaml);
    expect(imageSetText(set)).toMatch(/^# Platform content only: /);
    expect(set.files[0]!.yaml).toContain(
      '- name: stable-4.15\n        type: ocp\n        minVersion: 4.15.1\n',
    );
    expect(set.files[0]!.yaml).toContain('      - amd64\n      - arm64\n');
  });

  it('of several has them all, each under its name, and says why', () => {
    const needed = ['4.14.3', '4.14.9'].map((version) => ({
      step: step(version, 'stable-4.14'),
      arch: 'amd64' as const,
    }));
    const set = imageSetOf(needed)!;
    const [first, second] = set.files;
    const parts = `---\n# imageset-config-1.yaml\n${first!.yaml}---\n# imageset-config-2.yaml\n${second!.yaml}`;
    expect(imageSetText(set)).toBe(
      `# 2 files: ${set.splitBecause}.\n# Save each part under its name.\n${parts}`,
    );
    expect(imageSetText(set, ', or ask')).toBe(
      `# 2 files: ${set.splitBecause}.\n# Save each part under its name, or ask.\n${parts}`,
    );
  });

  it('has the operators that are given', () => {
    const packages = [{ name: 'logging', channels: ['stable'] }];
    const catalogs = [{ minor: '4.15', catalog: 'registry.example/index:v4.15', sources: [], packages }];
    const set = imageSetOf([{ step: step('4.15.1', 'stable-4.15'), arch: 'amd64' }], {
      catalogs,
      notes: [],
    })!;
    expect(imageSetText(set)).toContain('  operators:\n    - catalog: registry.example/index:v4.15\n');
  });
});
