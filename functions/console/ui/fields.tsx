interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly fault?: string | null;
  /** Of a field for long text. */
  readonly rows?: number;
  readonly onInput: (value: string) => void;
}

/** A field for what is typed or pasted, with what is wrong about it below. */
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
