/** Architecture names of the update service (Go names, and `multi` for the payload that holds them all). */
export const ARCHES = ['amd64', 'arm64', 'ppc64le', 's390x', 'multi'] as const;
export type Arch = (typeof ARCHES)[number];

/** Architecture names of installers, as assisted-service lists them. */
export const CPU_ARCHITECTURES = ['x86_64', 'arm64', 'ppc64le', 's390x', 'multi'] as const;
export type CpuArchitecture = (typeof CPU_ARCHITECTURES)[number];

const ALIASES: ReadonlyMap<string, CpuArchitecture> = new Map([
  ['amd64', 'x86_64'],
  ['aarch64', 'arm64'],
  ['Multi', 'multi'],
]);

/** The installer's name of an architecture given under any of its names, or null: `amd64` and `x86_64` → `x86_64`. */
export function parseCpuArchitecture(text: string): CpuArchitecture | null {
  return ALIASES.get(text) ?? CPU_ARCHITECTURES.find((known) => known === text) ?? null;
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
