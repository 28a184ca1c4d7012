/** Architecture names of the update service (Go names, and `multi` for the payload that holds them all). */
export const ARCHES = ['amd64', 'arm64', 'ppc64le', 's390x', 'multi'] as const;
export type Arch = (typeof ARCHES)[number];

/** Architecture names of installers, as assisted-service lists them. */
export type CpuArchitecture = Exclude<Arch, 'amd64'> | 'x86_64';
export const CPU_ARCHITECTURES: readonly CpuArchitecture[] = /* @__PURE__ */ ARCHES.map(cpuArchitectureOf);

/** The other name of each architecture that people use, if there is one. */
export const OTHER_NAMES: Readonly<Record<Arch, string | null>> = {
  amd64: 'x86_64',
  arm64: 'aarch64',
  ppc64le: null,
  s390x: null,
  multi: null,
};

/** Every name that is accepted: `amd64`, `x86_64`, `arm64`… */
export const ARCH_NAMES: readonly string[] = /* @__PURE__ */ ARCHES.flatMap((arch) => [
  arch,
  ...(OTHER_NAMES[arch] === null ? [] : [OTHER_NAMES[arch]]),
]);

/** The installer's name of an architecture given under any of its names, or null: `amd64` and `x86_64` → `x86_64`. */
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

/** The architecture as release image tags spell it: `ocp-release:4.14.3-aarch64`. */
export function imageTagArch(cpu: CpuArchitecture): string {
  return cpu === 'arm64' ? 'aarch64' : cpu;
}

const MULTI_SUFFIX = '-multi';

/** True for `4.14.1-multi`, the way assisted-service tells a multi release from its single-architecture twins. */
export function isMultiVersion(version: string): boolean {
  return version.endsWith(MULTI_SUFFIX);
}

/** The version as the update service spells it: `4.14.1-multi` → `4.14.1`. */
export function withoutMulti(version: string): string {
  return isMultiVersion(version) ? version.slice(0, -MULTI_SUFFIX.length) : version;
}

/** Nightlies say it inside already and stay as they are: `4.16.0-0.nightly-multi-2024-05-01-101010`. */
export function withMulti(version: string): string {
  return /-multi(?:-|$)/.test(version) ? version : `${version}${MULTI_SUFFIX}`;
}
