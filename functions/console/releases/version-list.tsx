import { groupBy } from '@cairn/shared/collection/group-by';
import { archOf, type Arch, isMultiVersion, withoutMulti } from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import type { VersionsAnswer } from '../data/responses.ts';
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

export const COLUMNS = ['Version', 'Support', 'Architectures', 'Plan', 'Details'] as const;

interface VersionRowProps {
  readonly listed: ListedVersion;
  readonly state: UrlState;
  readonly isOpen: boolean;
  /** Next value of `open` in the URL. */
  readonly openNext: string;
}

export function VersionRow({ listed, state, isOpen, openNext }: VersionRowProps) {
  const { name, version, support, isDefault, arches } = listed;
  const [tone, word] = SUPPORT[support];
  return (
    <>
      <tr class={isOpen ? 'releases-opened' : undefined}>
        <th scope="row">
          <span class="mono">{name}</span> {isDefault && <Pill tone="info">Default</Pill>}
        </th>
        <td>
          <Pill tone={tone}>{word}</Pill>
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

export interface ListedVersion {
  /** Name of installers: `4.14.1-multi`. */
  readonly name: string;
  /** Name of the update service: `4.14.1`. */
  readonly version: string;
  readonly minor: Minor;
  readonly support: VersionsAnswer[string]['support_level'];
  readonly isDefault: boolean;
  /** For `multi`, the architectures in the release image. */
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
      arches: listed.cpu_architectures.map(archOf),
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
