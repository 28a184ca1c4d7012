import { followInPage, linkTo, setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { Pill, type Tone } from '../ui/pill.tsx';
import { planFrom, planTo } from './plan-links.ts';
import { VersionDetails } from './version-details.tsx';
import type { ListedVersion } from './version-list.tsx';

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
