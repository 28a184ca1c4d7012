import { bytesText } from '@cairn/shared/text/words';
import { useRef, useState } from 'preact/hooks';
import { textFault, MOST_FILE_BYTES } from './add-cluster.tsx';
import { TextField } from '../ui/fields.tsx';

export interface ChosenFile {
  readonly name: string;
  readonly size: number;
  readonly text: string;
  readonly fault: string | null;
}

export interface Chosen {
  readonly files: readonly ChosenFile[];
  readonly pasted: string;
}

interface PickerProps {
  readonly chosen: Chosen;
  readonly onChange: (change: (former: Chosen) => Chosen) => void;
}

/** Takes files that are dropped or chosen, and text that is pasted. */
export function DocumentPicker({ chosen, onChange }: PickerProps) {
  const [isOver, setOver] = useState(false);
  const button = useRef<HTMLInputElement>(null);
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const read = await Promise.all([...(list ?? [])].map(readFile));
    const names = new Set(read.map(({ name }) => name));
    onChange(({ files, pasted }) => ({
      // One that is chosen again has been made anew.
      files: [...files.filter(({ name }) => !names.has(name)), ...read],
      pasted,
    }));
  };
  const drop = (name: string): void => {
    onChange(({ files, pasted }) => ({ files: files.filter((file) => file.name !== name), pasted }));
    button.current?.focus();
  };
  return (
    <div class="fleet-columns">
      <div class="stack-small">
        <label
          class={`drop-zone ${isOver ? 'over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void take(event.dataTransfer?.files);
          }}
        >
          <input
            ref={button}
            type="file"
            class="visually-hidden"
            multiple
            accept=".json,application/json"
            onChange={(event) => {
              const input = event.currentTarget;
              // Emptied, so that the same file can be chosen again.
              void take(input.files).then(() => (input.value = ''));
            }}
          />
          <span>
            Drop files here, or <span class="choose">choose them</span>
          </span>
        </label>
        <ul class="stack-small">
          {chosen.files.map(({ name, size, fault: fileFault }) => (
            <li key={name}>
              <div class="row">
                <span class="mono name">{name}</span>
                <span class="small muted">{bytesText(size)}</span>
                <button
                  type="button"
                  class="button plain"
                  aria-label={`Leave out ${name}`}
                  onClick={() => drop(name)}
                >
                  Leave out
                </button>
              </div>
              {fileFault && <p class="fault">{fileFault}</p>}
            </li>
          ))}
        </ul>
      </div>
      <TextField
        id="pasted"
        label="Or paste the output"
        rows={4}
        value={chosen.pasted}
        fault={chosen.pasted.trim() === '' ? null : textFault(chosen.pasted)}
        onInput={(pasted) => onChange(({ files }) => ({ files, pasted }))}
      />
    </div>
  );
}

async function readFile(file: File): Promise<ChosenFile> {
  const { name, size } = file;
  if (size > MOST_FILE_BYTES) {
    return { name, size, text: '', fault: `It is larger than ${bytesText(MOST_FILE_BYTES)}.` };
  }
  try {
    const text = await file.text();
    return { name, size, text, fault: textFault(text) };
  } catch {
    return { name, size, text: '', fault: 'It cannot be read.' };
  }
}
