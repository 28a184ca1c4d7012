import type { Minor } from './minor.ts';

/**
 * The Kubernetes minor, 27 for 1.27, that each OpenShift minor is built on. Source: what the release branches of
 * cluster-kube-apiserver-operator vendor, up to 5.0; before 4.6 the release notes. 4.2 to 4.3 is the one step of two.
 */
export const KUBERNETES_MINORS: ReadonlyMap<Minor, number> = new Map([
  ['4.1', 13],
  ['4.2', 14],
  ['4.3', 16],
  ['4.4', 17],
  ['4.5', 18],
  ['4.6', 19],
  ['4.7', 20],
  ['4.8', 21],
  ['4.9', 22],
  ['4.10', 23],
  ['4.11', 24],
  ['4.12', 25],
  ['4.13', 26],
  ['4.14', 27],
  ['4.15', 28],
  ['4.16', 29],
  ['4.17', 30],
  ['4.18', 31],
  ['4.19', 32],
  ['4.20', 33],
  ['4.21', 34],
  ['4.22', 35],
  ['4.23', 36],
  ['5.0', 36],
]);
