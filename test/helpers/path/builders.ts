import { buildCatalogue, type Catalogue, type ReleaseRow } from '@cairn/shared/releases/catalogue';
import { DEFAULT_SUPPORT, supportCalendar } from '@cairn/shared/releases/lifecycle';
import { parseReleaseConfig, type ReleaseConfig } from '@cairn/shared/releases/sources';
import { archOf, parseCpuArchitecture } from '@cairn/shared/version/arch';

/** The built-in life cycle on the day of the specification. */
export const CALENDAR = supportCalendar(DEFAULT_SUPPORT, '2026-11-17');

/** Throws the mistakes of an invalid configuration. */
export function configOf(file: unknown): ReleaseConfig {
  const reading = parseReleaseConfig(file);
  if (!reading.ok) throw new Error(reading.mistakes.map((m) => `${m.pointer}: ${m.detail}`).join('\n'));
  return reading.config;
}

/** A release of stable-4.14 for `aRow('4.14.3', 'x86_64')`. */
export function aRow(
  version: string,
  cpu: string,
  channels: readonly string[] = ['stable'],
  more: Partial<ReleaseRow> = {},
): ReleaseRow {
  const minor = version.split('.').slice(0, 2).join('.');
  const arch = archOf(parseCpuArchitecture(cpu)!);
  return {
    version,
    arch,
    channels: channels.map((name) => (name.includes('-') ? name : `${name}-${minor}`)),
    payload: `quay.io/openshift-release-dev/ocp-release@sha256:${'0'.repeat(56)}${version.length}${arch.length}`,
    firstSeenAt: '2026-11-01T00:00:00Z',
    ...more,
  };
}

export function anImage(version: string, cpu: string, more: Record<string, unknown> = {}) {
  return {
    openshift_version: version.split('.').slice(0, 2).join('.'),
    cpu_architecture: cpu,
    url: `registry.example.com/ocp/release:${version}-${cpu}`,
    version,
    ...more,
  };
}

/** Rows under a configuration that hides none. `levels` overrides the support table. */
export function catalogueOf(
  rows: readonly ReleaseRow[],
  levels: Record<string, string> = {},
  images: readonly unknown[] = [],
): Catalogue {
  const config = configOf({ support_levels: levels, release_images: images });
  return buildCatalogue({ config, rows, calendar: CALENDAR });
}
