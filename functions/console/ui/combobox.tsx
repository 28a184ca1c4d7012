import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, faultProps } from './controls.tsx';

export interface Suggestion {
  readonly value: string;
  /** Shown beside it: `newest of eus-4.16`. */
  readonly note?: string;
}

interface ComboboxProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  /** Up to a dozen, likeliest first. */
  readonly suggest: (typed: string) => readonly Suggestion[];
  readonly fault: string | null;
  readonly id: string;
  readonly onInput: (value: string) => void;
  /** A suggestion was chosen, or Enter was pressed. */
  readonly onCommit: (value: string) => void;
}

/** ARIA combobox with a list: arrows choose, Enter accepts, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, value, placeholder, fault, id, onInput } = props;
  const listId = `${id}-list`;
  const list = useSuggestions(props);
  const { active, isShown } = list;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <Field id={id} label={label} fault={fault}>
      <div class="combobox" ref={box}>
        <input
          id={id}
          class="input mono"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-expanded={isShown}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 && isShown ? `${listId}-${active}` : undefined}
          {...faultProps({ id, fault })}
          placeholder={placeholder}
          value={value}
          onInput={(event) => {
            onInput(event.currentTarget.value.trim());
            list.open();
          }}
          onFocus={list.focus}
          onBlur={list.close}
          onKeyDown={list.press}
        />
        <ul id={listId} class="options" role="listbox" aria-label={label} hidden={!isShown}>
          {list.suggestions.map((suggestion, at) => (
            <Option
              key={suggestion.value}
              id={`${listId}-${at}`}
              suggestion={suggestion}
              isActive={at === active}
              onTake={list.take}
            />
          ))}
        </ul>
      </div>
    </Field>
  );
}

interface OptionProps {
  readonly id: string;
  readonly suggestion: Suggestion;
  readonly isActive: boolean;
  readonly onTake: (value: string) => void;
}

function Option({ id, suggestion: { value, note }, isActive, onTake }: OptionProps) {
  return (
    <li
      id={id}
      class="option"
      role="option"
      aria-selected={isActive}
      // On mousedown: the field would lose the focus first and close the list.
      onMouseDown={(event) => {
        event.preventDefault();
        onTake(value);
      }}
    >
      <span class="mono">{value}</span>
      {note && <span class="small muted">{note}</span>}
    </li>
  );
}

function useSuggestions({ value, suggest, onInput, onCommit }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = isOpen ? suggest(value) : [];
  const isShown = suggestions.length > 0;
  const show = (isOpen: boolean): void => {
    setOpen(isOpen);
    setActive(-1);
  };
  const close = (): void => show(false);
  const take = (chosen: string): void => {
    onInput(chosen);
    onCommit(chosen);
    close();
  };
  const step = (by: number): void => {
    const count = suggest(value).length;
    if (count === 0) return;
    setOpen(true);
    setActive((now) => (now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key === 'Escape' && isShown) close();
    else if (event.key === 'Enter' && isShown && active >= 0) take(suggestions[active]!.value);
    else {
      if (event.key === 'Enter') close();
      return;
    }
    event.preventDefault();
  };
  return {
    suggestions,
    active,
    isShown,
    focus: () => setOpen(true),
    open: () => show(true),
    close,
    take,
    press,
  };
}
