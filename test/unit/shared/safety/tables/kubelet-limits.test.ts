import { crioMinorOf, kubeletMinorOf } from '@cairn/shared/safety/evidence/kubelets';
import { kubeletLimit } from '@cairn/shared/safety/tables/kubelet-limits';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';

describe('limits', () => {
  it.each([
    ['4.6', 2],
    ['4.7', 1],
    ['4.22', 2],
    ['4.23', 1],
    ['4.24', 2],
    ['5.0', 1],
    ['5.1', 2],
    ['5.2', 3],
    ['5.3', 1],
  ])('the API server of %s takes kubelets %i minors behind', (text, limit) => {
    expect(kubeletLimit('openshift', mustParseVersion(`${text}.0`), 30)).toBe(limit);
  });

  it.each([
    ['n-1', 20, 1],
    ['n-3', 30, 3],
    ['upstream', 24, 2],
    ['upstream', 25, 3],
  ] as const)('policy %s for a kubelet of 1.%i: %i', (policy, kubelet, limit) => {
    expect(kubeletLimit(policy, { major: 4, minor: 9 }, kubelet)).toBe(limit);
  });
});

describe('versions of node components', () => {
  it.each([
    ['v1.31.6', 31],
    ['1.27.4', 27],
    ['v1.21.0-rc.0+6143dea', 21],
    ['v1.20.0+bbbc079', 20],
    ['vv1.21.0', null],
    ['v1.21', null],
    ['v2.1.0', null],
    ['v1.021.0', null],
    ['', null],
    ['Invalid', null],
  ])('kubelet %j → %j', (version, minor) => {
    expect(kubeletMinorOf(version)).toBe(minor);
  });

  it.each([
    ['cri-o://1.31.4-3.rhaos4.18.git1234567.el9', 31],
    ['cri-o://1.25.3', 25],
    ['containerd://1.6.8', null],
    ['cri-o://', null],
    ['', null],
  ])('runtime %j → %j', (version, minor) => {
    expect(crioMinorOf(version)).toBe(minor);
  });
});
