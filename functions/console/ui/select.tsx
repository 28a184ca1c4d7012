import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';

export interface SelectProps {
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
  /** What else changes with it. */
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
