import { ARCHES, type Arch } from '@cairn/shared/version/arch';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useRef, useState, useId } from 'preact/hooks';
import type { View } from '../../site/routes.ts';
import { followInPage, linkTo, setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce } from './announce.ts';

export type Tone = 'ok' | 'cond' | 'block' | 'info' | 'plain';

/** In addition to the color, which not all users see. */
const SYMBOLS: Readonly<Record<Tone, string>> = { ok: '●', cond: '▲', block: '■', info: '', plain: '' };

export function Pill({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  const symbol = SYMBOLS[tone];
  return (
    <span class={`pill ${tone}`}>
      {symbol && <span aria-hidden="true">{symbol} </span>}
      {children}
    </span>
  );
}

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

/** Link from data: only https, and without a referrer or opener. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  const isSafe = URL.parse(href)?.protocol === 'https:';
  if (!isSafe) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

interface PageLinkProps extends Pick<ComponentProps<'a'>, 'class' | 'aria-current' | 'children'> {
  readonly to: View;
  /** Changes of the current state. */
  readonly patch: Partial<UrlState>;
}

export function PageLink({ to, patch, ...rest }: PageLinkProps) {
  return <a href={linkTo(to, patch)} onClick={followInPage} {...rest} />;
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'class'> {
  /** Further classes: `primary`. */
  readonly kind?: string;
}

/** Submits no form, unless its type is `submit`. */
export function Button({ kind = '', ...rest }: ButtonProps) {
  return <button type="button" class={`button ${kind}`} {...rest} />;
}

interface CheckProps extends Pick<ComponentProps<'input'>, 'name' | 'disabled' | 'readOnly' | 'aria-label'> {
  /** @default 'checkbox' */
  readonly type?: 'radio';
  readonly checked: boolean;
  readonly onChange?: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}

/** Checkbox or radio button with its label. */
export function Check({ onChange, children, ...rest }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" {...rest} onChange={(event) => onChange?.(event.currentTarget.checked)} />
      {children}
    </label>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly fault?: string | null | undefined;
  /** Further classes: `nodes-field`. */
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** Label, input and fault; the input has the ID and {@link faultProps}. */
export function Field({ id, label, fault, kind = '', children }: FieldProps) {
  return (
    <div class={`field ${kind}`}>
      <label for={id}>{label}</label>
      {children}
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}

export function faultProps({ id, fault }: Pick<FieldProps, 'id' | 'fault'>) {
  return fault ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` } : {};
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly id?: string;
  readonly onChange: (value: string) => void;
  readonly children: ComponentChildren;
}

export function Select({ label, value, onChange, children, ...given }: SelectProps) {
  const ownId = useId();
  const id = given.id ?? ownId;
  return (
    <Field id={id} label={label}>
      <select id={id} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {children}
      </select>
    </Field>
  );
}

interface ArchSelectProps {
  readonly arch: Arch;
  readonly id?: string;
  readonly onChange?: (arch: Arch) => void;
}

export function ArchSelect({ arch, onChange, ...rest }: ArchSelectProps) {
  const change = onChange ?? ((chosen: Arch) => setState({ arch: chosen }, { push: true }));
  return (
    <Select label="Architecture" value={arch} onChange={(chosen) => change(chosen as Arch)} {...rest}>
      {ARCHES.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}

export function TableHead({ titles }: { readonly titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

const SHOWN_MS = 2000;

async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard) {
    if (typeof text === 'string') return navigator.clipboard.writeText(text);
    // Browsers require the write during the click, so a pending text is passed as a promise.
    const blob = text.then((made) => new Blob([made], { type: 'text/plain' }));
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  }
  // Without https or localhost only the old command is available.
  const area = document.createElement('textarea');
  area.value = await text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser does not let the page copy');
}

interface CopyButtonProps {
  readonly text: () => string | Promise<string>;
  /** For the announcement: `the digest of 4.16.2`. */
  readonly what: string;
  readonly kind?: 'primary' | 'plain';
  readonly id?: string;
  readonly children: ComponentChildren;
}

export function CopyButton({ text, what, children, ...rest }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string | null>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    const words = await copyText(text()).then(
      () => 'Copied',
      () => 'Could not copy',
    );
    announce(`${words} ${what}`);
    setOutcome(words);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOutcome(null), SHOWN_MS);
  };
  return (
    <Button {...rest} onClick={() => void copy()}>
      {outcome ?? children}
    </Button>
  );
}

export function Command({ command }: { readonly command: string }) {
  return (
    <div class="command">
      <code>{command}</code>
      <CopyButton kind="plain" text={() => command} what="the command">
        Copy<span class="visually-hidden"> the command</span>
      </CopyButton>
    </div>
  );
}

export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started reading by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
