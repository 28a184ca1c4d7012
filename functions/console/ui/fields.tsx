import { useEffect, useId, useRef } from 'preact/hooks';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce, useShortcuts } from './announce.ts';
import { Field, faultProps } from './controls.tsx';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly fault?: string | null;
  /** Makes the field a text area. */
  readonly rows?: number;
  readonly onInput: (value: string) => void;
}

export function TextField({ id, label, value, placeholder, fault, rows, onInput }: TextFieldProps) {
  const Input = rows ? 'textarea' : 'input';
  return (
    <Field id={id} label={label} fault={fault}>
      <Input
        id={id}
        class="input mono"
        rows={rows}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        {...faultProps({ id, fault })}
        value={value}
        onInput={(event: Event) => {
          const typed = (event.currentTarget as HTMLInputElement).value;
          onInput(rows ? typed : typed.trim());
        }}
      />
    </Field>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly find: string;
  readonly placeholder: string;
  /** Result count for screen readers: `3 risks`. */
  readonly found: string;
  /** Other URL state to set while searching. */
  readonly also?: Partial<UrlState>;
  /** @default 'find' */
  readonly of?: 'find' | 'name';
}

/** Writes the text to the URL on every key, without history entries. */
export function SearchField({ label, find, placeholder, found, also, of = 'find' }: SearchFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  useEffect(() => {
    if (find !== '') announce(found);
  }, [find, found]);
  return (
    <Field id={id} label={label} kind="releases-search">
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
        onInput={(event) => setState({ ...also, [of]: event.currentTarget.value }, { push: false })}
      />
    </Field>
  );
}
