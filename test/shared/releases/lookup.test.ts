import { describe, expect, it } from 'vitest';
import { findRelease } from '@cairn/shared/releases/lookup';
import { aRow, anImage, catalogueOf } from './builders.ts';

const NIGHTLY = '4.16.0-0.nightly-multi-2024-05-01-101010';
const catalogue = catalogueOf(
  [
    aRow('4.14.1', 'x86_64'),
    aRow('4.14.1', 'arm64'),
    aRow('4.14.1', 'multi'),
    aRow('4.14.2', 'x86_64'),
    aRow('4.14.4', 'x86_64', ['candidate']),
    aRow('4.14.0-ec.3', 'x86_64', ['candidate']),
    aRow('4.15.0', 'multi'),
    aRow('4.17.0-rc.1', 's390x', ['candidate']),
    aRow('4.17.0-rc.2', 's390x', ['candidate']),
  ],
  {},
  [anImage(NIGHTLY, 'multi', { cpu_architectures: ['x86_64', 'arm64'] })],
);

describe('findRelease', () => {
  it.each([
    ['R1: a minor is its newest release that is not beta', '4.14', 'x86_64', '4.14.2', 'x86_64'],
    ['R1: exact', '4.14.2', 'x86_64', '4.14.2', 'x86_64'],
    ['R1: exact pre-release', '4.14.0-ec.3', 'x86_64', '4.14.0-ec.3', 'x86_64'],
    ['R1: multi by suffix', '4.14.1-multi', 'x86_64', '4.14.1-multi', 'multi'],
    ['R1: multi by suffix and architecture', '4.14.1-multi', 'multi', '4.14.1-multi', 'multi'],
    ['R1: multi by architecture alone', '4.14.1', 'multi', '4.14.1-multi', 'multi'],
    ['R1: a minor on multi', '4.14-multi', 'arm64', '4.14.1-multi', 'multi'],
    ['R1: exact beta', '4.14.4', 'x86_64', '4.14.4', 'x86_64'],
    ['R1: a minor with beta only is its newest', '4.17', 's390x', '4.17.0-rc.2', 's390x'],
    ['an architecture of its own comes before multi', '4.14.1', 'arm64', '4.14.1', 'arm64'],
    ['multi serves an architecture without its own', '4.15.0', 'ppc64le', '4.15.0-multi', 'multi'],
    ['R3: aarch64 is arm64', '4.14.1', 'aarch64', '4.14.1', 'arm64'],
    ['R3: amd64 is x86_64', '4.14', 'amd64', '4.14.2', 'x86_64'],
    ['R3: nightly by architecture', NIGHTLY, 'arm64', NIGHTLY, 'multi'],
    ['R3: nightly on multi', NIGHTLY, 'multi', NIGHTLY, 'multi'],
  ])('%s: %s on %s', (_, version, cpu, expected, expectedCpu) => {
    expect(findRelease(catalogue, [], version, cpu)).toMatchObject({
      found: true,
      release: { version: expected, cpuArchitecture: expectedCpu },
    });
  });

  it.each([
    ['4', 'x86_64', 'invalid_version', '"4" is not a version'],
    ['', 'x86_64', 'invalid_version', '"" is not a version'],
    ['unsupported', 'x86_64', 'invalid_version', '"4.14.3"'],
    ['-multi', 'x86_64', 'invalid_version', '"-multi"'],
    ['v4.14.1', 'x86_64', 'invalid_version', '"v4.14.1"'],
    ['4.14.1', 'sparc', 'unknown_architecture', '"sparc" is not an architecture, use one of x86_64'],
    ['4.14.1', '', 'unknown_architecture', 'ppc64le'],
    ['4.14.3', 'x86_64', 'not_found', 'there is no release 4.14.3 for x86_64'],
    ['4.13', 'x86_64', 'not_found', '4.13'],
    ['4.14.2-multi', 'x86_64', 'not_found', '4.14.2-multi'],
    [NIGHTLY, 's390x', 'not_found', 's390x'],
  ])('R2: %j on %j is an error: %s', (version, cpu, reason, message) => {
    expect(findRelease(catalogue, [], version, cpu)).toEqual({
      found: false,
      reason,
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['4.14.2', ['4.14.2']],
    ['4.14.1-multi', ['4.14.1']],
    ['4.14', ['4.14']],
    ['4.14', ['>=4.14.0-0 <4.15.0']],
  ])('R2: %s with %j ignored is an error', (version, ignored) => {
    expect(findRelease(catalogue, ignored, version, 'x86_64')).toMatchObject({
      found: false,
      reason: 'ignored',
    });
  });

  it('R2: a minor passes over ignored versions', () => {
    expect(findRelease(catalogue, ['4.14.2'], '4.14', 'x86_64')).toMatchObject({
      release: { version: '4.14.1' },
    });
  });
});
