import { archOf, cpuArchitectureOf, imageTagArch, parseCpuArchitecture } from '@cairn/shared/version/arch';
import { compareMinors, minorOf, parseMinor } from '@cairn/shared/version/minor';
import { describe, expect, it } from 'vitest';

describe('minors', () => {
  it('orders releases, not text, and crosses the major', () => {
    const minors = ['5.0', '4.9', '4.22', '4.10'] as const;
    expect(minors.toSorted(compareMinors)).toEqual(['4.9', '4.10', '4.22', '5.0']);
  });

  it.each(['4', '4.14.1', '04.1', '4.01', 'v4.1', '', '4.1000', '100.1'])('refuses %j', (text) => {
    expect(parseMinor(text)).toBeNull();
  });

  it('reads the minor of a version', () => {
    expect(minorOf({ major: 4, minor: 14 })).toBe('4.14');
  });
});

describe('architectures', () => {
  it.each([
    ['amd64', 'x86_64'],
    ['x86_64', 'x86_64'],
    ['aarch64', 'arm64'],
    ['Multi', 'multi'],
    ['s390x', 's390x'],
  ])('reads %s as %s', (text, expected) => {
    expect(parseCpuArchitecture(text)).toBe(expected);
  });

  it.each(['', 'AMD64', 'x86', '__proto__'])('refuses %j', (text) => {
    expect(parseCpuArchitecture(text)).toBeNull();
  });

  it('maps both ways, and arm64 to aarch64 in image tags', () => {
    expect([archOf('x86_64'), archOf('multi')]).toEqual(['amd64', 'multi']);
    expect([cpuArchitectureOf('amd64'), cpuArchitectureOf('arm64')]).toEqual(['x86_64', 'arm64']);
    expect([imageTagArch('arm64'), imageTagArch('x86_64')]).toEqual(['aarch64', 'x86_64']);
  });
});
