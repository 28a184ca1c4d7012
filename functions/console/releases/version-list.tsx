import { groupBy } from '@cairn/shared/collection/group-by';
import type { MinorSupport, SupportCalendar } from '@cairn/shared/releases/lifecycle';
import {
  archOf,
  type Arch,
  cpuArchitectureOf,
  isMultiVersion,
  parseCpuArchitecture,
  withoutMulti,
} from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import type { SourcesAnswer, VersionsAnswer } from '../data/responses.ts';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { Pill, type Tone, Button, PageLink } from '../ui/controls.tsx';
import { planFrom, planTo, VersionDetails } from './version-details.tsx';

const SUPPORT: Readonly<Record<ListedVersion['support'], readonly [Tone, string]>> = {
  beta: ['cond', 'Beta'],
  production: ['ok', 'Full support'],
  maintenance: ['info', 'Maintenance'],
  'end-of-life': ['block', 'End of life'],
};

export const COLUMNS = ['Version', 'Support', 'Followed architectures', 'Plan', 'Details'] as const;

interface VersionRowProps {
  readonly listed: ListedVersion;
  readonly state: UrlState;
  readonly isOpen: boolean;
  /** Null until it is loaded. */
  readonly calendar: SupportCalendar | null;
  /** Minors with a followed channel other than candidate channels; null until they are loaded. */
  readonly followed: ReadonlySet<string> | null;
  /** Next value of `open` in the URL. */
  readonly openNext: string;
}

export function VersionRow({ listed, state, isOpen, calendar, followed, openNext }: VersionRowProps) {
  const { name, version, minor, isDefault, arches } = listed;
  const minorSupport = calendar?.(minor);
  const until = minorSupport?.supportedUntil ?? null;
  const [tone, word] = SUPPORT[shownSupport(listed, followed, minorSupport)];
  return (
    <>
      <tr class={isOpen ? 'releases-opened' : undefined}>
        <th scope="row">
          <span class="mono">{name}</span> {isDefault && <Pill tone="info">Default</Pill>}
        </th>
        <td>
          <Pill tone={tone}>{word}</Pill> {until !== null && <span class="small muted">until {until}</span>}
        </td>
        <td class="small">{arches.join(', ')}</td>
        <td>
          <span class="row">
            <PageLink to="plan" patch={planFrom(version, state)}>
              Plan from here
            </PageLink>
            <PageLink to="plan" patch={planTo(version, state)}>
              Plan to here
            </PageLink>
          </span>
        </td>
        <td>
          <Button
            kind="plain releases-toggle"
            aria-expanded={isOpen}
            onClick={() => setState({ open: openNext }, { push: false })}
          >
            Details<span class="visually-hidden"> of {name}</span>
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS.length}>
            <VersionDetails version={version} arch={state.arch} />
          </td>
        </tr>
      )}
    </>
  );
}

/**
 * Installers call every release of candidate channels only beta. If no other channel of its minor is followed, that is a
 * fact about the configuration, so the life cycle of the minor is shown.
 */
export function shownSupport(
  { support: listed, version, minor }: ListedVersion,
  followed: ReadonlySet<string> | null,
  support: MinorSupport | undefined,
): ListedVersion['support'] {
  const isComparable = followed === null || followed.has(minor);
  if (listed !== 'beta' || version.includes('-') || isComparable) return listed;
  if (support === undefined || support.phase === 'full') return 'production';
  return support.phase === 'ended' ? 'end-of-life' : 'maintenance';
}

/** Minors with a followed channel other than candidate channels, which have releases before they are tested. */
export function minorsWithReleases(sources: SourcesAnswer): ReadonlySet<string> {
  const isReleased = ({ channels }: SourcesAnswer[number]['upgrade_channels'][number]): boolean =>
    channels.some((name) => name !== 'candidate');
  return new Set(
    sources
      .filter(({ upgrade_channels: followed }) => followed.some(isReleased))
      .map(({ openshift_version: minor }) => minor),
  );
}

/** True if the configuration follows a channel on the architecture. */
export function isArchFollowed(arch: Arch, sources: SourcesAnswer): boolean {
  return sources.some(({ upgrade_channels: followed }) =>
    followed.some(
      ({ cpu_architecture: cpu, channels }) =>
        channels.length > 0 && parseCpuArchitecture(cpu) === cpuArchitectureOf(arch),
    ),
  );
}

export interface ListedVersion {
  /** Name of installers: `4.14.1-multi`. */
  readonly name: string;
  /** Name of the update service: `4.14.1`. */
  readonly version: string;
  readonly minor: Minor;
  readonly support: VersionsAnswer[string]['support_level'];
  readonly isDefault: boolean;
  /** Only those that are followed; what is in a multi release is not known. */
  readonly arches: readonly Arch[];
}

/** Newest first. Multi releases are listed only for `multi`. */
export function versionsFor(arch: Arch, answer: VersionsAnswer): ListedVersion[] {
  return Object.values(answer)
    .filter(({ display_name: name, cpu_architectures: cpus }) =>
      isMultiVersion(name) ? arch === 'multi' : cpus.some((cpu) => archOf(cpu) === arch),
    )
    .map((listed) => ({
      name: listed.display_name,
      version: withoutMulti(listed.display_name),
      minor: minorOfName(listed.display_name),
      support: listed.support_level,
      isDefault: listed.default === true,
      arches: isMultiVersion(listed.display_name) ? ['multi' as const] : listed.cpu_architectures.map(archOf),
    }));
}

/** Minors whose newest version lacks the architecture. */
export function minorsWithout(listed: readonly ListedVersion[], latest: VersionsAnswer): Minor[] {
  const there = new Set(listed.map(({ minor }) => minor));
  return [...new Set(Object.keys(latest).map(minorOfName))].filter((minor) => !there.has(minor));
}

/** Newest minor first: the service's choice, else the newest build for the architecture, beta last. */
export function newestOfMinors(
  arch: Arch,
  latest: VersionsAnswer,
  all: VersionsAnswer | null,
): ListedVersion[] {
  const chosen = versionsFor(arch, latest);
  const byMinor = new Map(chosen.map((listed) => [listed.minor, listed]));
  const others = groupBy(all === null ? [] : versionsFor(arch, all), ({ minor }) => minor);
  const minors = new Set(Object.keys(latest).map(minorOfName));
  return [...minors].flatMap((minor) => {
    const older = others.get(minor) ?? [];
    return byMinor.get(minor) ?? older.find(({ support }) => support !== 'beta') ?? older[0] ?? [];
  });
}

function minorOfName(name: string): Minor {
  return name.split('.', 2).join('.') as Minor;
}
