import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';

const VIEWS = { lanes: 'Lanes', table: 'Table' } as const satisfies Record<UrlState['view'], string>;

/** Lanes or table: one stop of the Tab key, the arrows change over. */
export function ViewTabs({ view, controls }: { readonly view: UrlState['view']; readonly controls: string }) {
  const show = (shown: UrlState['view']): void => setState({ view: shown }, { push: false });
  return (
    <div
      class="tabs no-print"
      role="tablist"
      aria-label="How releases are shown"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        const other = view === 'lanes' ? 'table' : 'lanes';
        show(other);
        event.currentTarget.querySelector<HTMLElement>(`[data-view=${other}]`)?.focus();
      }}
    >
      {Object.entries(VIEWS).map(([name, label]) => (
        <button
          key={name}
          type="button"
          class="tab"
          role="tab"
          data-view={name}
          aria-selected={name === view}
          aria-controls={controls}
          tabIndex={name === view ? 0 : -1}
          onClick={() => show(name as UrlState['view'])}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
