import { groupBy } from '@cairn/shared/collection/group-by';
import { archOf, type Arch, isMultiVersion, withoutMulti } from '@cairn/shared/version/arch';
import type { Minor } from '@cairn/shared/version/minor';
import type { VersionsAnswer } from '../data/responses.ts';
import { followInPage, linkTo, setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { Pill, type Tone } from '../ui/pill.tsx';
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
  /** What `open` of the address becomes by a click on the details. */
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
            <a href={linkTo('plan', planFrom(version, state))} onClick={followInPage}>
              Plan from here
            </a>
            <a href={linkTo('plan', planTo(version, state))} onClick={followInPage}>
              Plan to here
            </a>
          </span>
        </td>
        <td>
          <button
            type="button"
            class="button plain releases-toggle"
            aria-expanded={isOpen}
            onClick={() => setState({ open: openNext }, { push: false })}
          >
            Details<span class="visually-hidden"> of {name}</span>
          </button>
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

/** A version that can be installed on the architecture that is looked at. */
export interface ListedVersion {
  /** As installers name it: `4.14.1-multi`. */
  readonly name: string;
  /** As the update service names it: `4.14.1`. */
  readonly version: string;
  readonly minor: Minor;
  readonly support: VersionsAnswer[string]['support_level'];
  readonly isDefault: boolean;
  /** For `multi`, what the one payload holds. */
  readonly arches: readonly Arch[];
}

/** What an answer holds, in its order: the newest first. Payloads for several architectures are for `multi` alone. */
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

/** The minors whose newest version is not there for the architecture, so that an older one has to be looked for. */
export function minorsWithout(listed: readonly ListedVersion[], latest: VersionsAnswer): Minor[] {
  const there = new Set(listed.map(({ minor }) => minor));
  return [...new Set(Object.keys(latest).map(minorOfName))].filter((minor) => !there.has(minor));
}

/**
 * The version of each minor to take first, newest minor first: the service's own choice, and where that is not built for
 * the architecture the newest of all that is, beta only where there is nothing else.
 */
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
