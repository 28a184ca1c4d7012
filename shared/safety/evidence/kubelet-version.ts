const VERSION = /^v?1\.(0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,8})(?:[-+].*)?$/;
const CRI_O = 'cri-o://';

/**
 * The minor of a kubelet, or of an API server, which writes its version the same way: `v1.21.0-rc.0+6143dea` → 21; null for
 * what is no such version.
 */
export function kubeletMinorOf(version: string): number | null {
  const minor = VERSION.exec(version)?.[1];
  return minor === undefined ? null : Number(minor);
}

/** CRI-O counts minors as Kubernetes does: `cri-o://1.31.4-3.rhaos4.18` → 31; null for another runtime. */
export function crioMinorOf(containerRuntimeVersion: string): number | null {
  return containerRuntimeVersion.startsWith(CRI_O)
    ? kubeletMinorOf(containerRuntimeVersion.slice(CRI_O.length))
    : null;
}
