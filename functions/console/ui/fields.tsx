import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce, useShortcuts } from './announce.ts';

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly fault?: string | null;
  /** Makes the field a text area. */
  readonly rows?: number;
  readonly onInput: (value: string) => void;
}

export function TextField({ id, label, value, placeholder, fault, rows, onInput }: FieldProps) {
  const Input = rows ? 'textarea' : 'input';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Input
        id={id}
        class="input mono"
        rows={rows}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        value={value}
        onInput={(event: Event) => {
          const typed = (event.currentTarget as HTMLInputElement).value;
          onInput(rows ? typed : typed.trim());
        }}
      />
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
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
}

/** Writes `find` to the URL on every key, without history entries. */
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

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

export function Select({ label, value, onChange, children }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {children}
      </select>
    </div>
  );
}

interface ArchSelectProps {
  readonly arch: Arch;
  readonly also?: Partial<UrlState>;
}

export function ArchSelect({ arch, also }: ArchSelectProps) {
  return (
    <Select
      label="Architecture"
      value={arch}
      onChange={(chosen) => setState({ ...also, arch: chosen as Arch }, { push: true })}
    >
      {ARCHES.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}
