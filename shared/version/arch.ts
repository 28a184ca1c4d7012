/** Names of the update service: Go names, and `multi` for the multi-architecture release image. */
export const ARCHES = ['amd64', 'arm64', 'ppc64le', 's390x', 'multi'] as const;
export type Arch = (typeof ARCHES)[number];

/** Names of installers, as assisted-service lists them. */
export type CpuArchitecture = Exclude<Arch, 'amd64'> | 'x86_64';
export const CPU_ARCHITECTURES: readonly CpuArchitecture[] = /* @__PURE__ */ ARCHES.map(cpuArchitectureOf);

/** Common second name, if there is one. */
export const OTHER_NAMES: Readonly<Record<Arch, string | null>> = {
  amd64: 'x86_64',
  arm64: 'aarch64',
  ppc64le: null,
  s390x: null,
  multi: null,
};

/** All accepted names: `amd64`, `x86_64`, `arm64`… */
export const ARCH_NAMES: readonly string[] = /* @__PURE__ */ ARCHES.flatMap((arch) => [
  arch,
  ...(OTHER_NAMES[arch] === null ? [] : [OTHER_NAMES[arch]]),
]);

/** Returns the installer's name: `amd64` and `x86_64` → `x86_64`. */
export function parseCpuArchitecture(text: string): CpuArchitecture | null {
  const name = text === 'Multi' ? 'multi' : text;
  const arch = ARCHES.find((known) => known === name || OTHER_NAMES[known] === name);
  return arch === undefined ? null : cpuArchitectureOf(arch);
}

export function archOf(cpu: CpuArchitecture): Arch {
  return cpu === 'x86_64' ? 'amd64' : cpu;
}

export function cpuArchitectureOf(arch: Arch): CpuArchitecture {
  return arch === 'amd64' ? 'x86_64' : arch;
}

/** Spelling in release image tags: `ocp-release:4.14.3-aarch64`. */
export function imageTagArch(cpu: CpuArchitecture): string {
  return cpu === 'arm64' ? 'aarch64' : cpu;
}

const MULTI_SUFFIX = '-multi';

/** assisted-service marks multi releases this way: `4.14.1-multi`. */
export function isMultiVersion(version: string): boolean {
  return version.endsWith(MULTI_SUFFIX);
}

/** Spelling of the update service: `4.14.1-multi` → `4.14.1`. */
export function withoutMulti(version: string): string {
  return isMultiVersion(version) ? version.slice(0, -MULTI_SUFFIX.length) : version;
}

/** Nightlies already contain it and stay unchanged: `4.16.0-0.nightly-multi-2024-05-01-101010`. */
export function withMulti(version: string): string {
  return /-multi(?:-|$)/.test(version) ? version : `${version}${MULTI_SUFFIX}`;
}
