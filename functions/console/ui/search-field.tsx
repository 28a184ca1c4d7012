import { useEffect, useId, useRef } from 'preact/hooks';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce } from './announce.ts';
import { useShortcuts } from './shortcuts.ts';

export interface SearchFieldProps {
  readonly label: string;
  readonly find: string;
  readonly placeholder: string;
  /** What is found, said to those who do not see the list: `3 risks`. */
  readonly found: string;
  /** What else the address says while it is searched. */
  readonly also?: Partial<UrlState>;
}

/** Searches a list by `find` of the address; every letter counts, and none of them is a step for Back. */
export function SearchField({ label, find, placeholder, found, also }: SearchFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  useEffect(() => {
    if (find !== '') announce(found);
  }, [find, found]);
  return (
    <div class="field releases-search">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        class="input"
        type="search"
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        placeholder={placeholder}
        value={find}
        onInput={(event) => setState({ ...also, find: event.currentTarget.value }, { push: false })}
      />
    </div>
  );
}
