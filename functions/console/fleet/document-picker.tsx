import { bytesText } from '@cairn/shared/text/words';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../ui/controls.tsx';
import { TextField } from '../ui/fields.tsx';

/** Limit of the service after decompression; also a sensible limit for a browser. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024;

interface ChosenFile {
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

export function DocumentPicker({ chosen, onChange }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const read = await Promise.all([...(list ?? [])].map(readFile));
    const names = new Set(read.map(({ name }) => name));
    onChange(({ files, pasted }) => ({
      // A file that is chosen again replaces the earlier one.
      files: [...files.filter(({ name }) => !names.has(name)), ...read],
      pasted,
    }));
  };
  const drop = (name: string): void => {
    onChange(({ files, pasted }) => ({ files: files.filter((file) => file.name !== name), pasted }));
    input.current?.focus();
  };
  return (
    <div class="fleet-columns">
      <div class="stack-small">
        <DropZone input={input} onFiles={take} />
        <ul class="stack-small">
          {chosen.files.map((file) => (
            <FileItem key={file.name} file={file} onDrop={() => drop(file.name)} />
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

interface DropZoneProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onFiles: (list: FileList | null | undefined) => Promise<void>;
}

function DropZone({ input, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  return (
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
        void onFiles(event.dataTransfer?.files);
      }}
    >
      <input
        ref={input}
        type="file"
        class="visually-hidden"
        multiple
        accept=".json,application/json"
        onChange={(event) => {
          const own = event.currentTarget;
          // Clear the input, so that the same file can be chosen again.
          void onFiles(own.files).then(() => (own.value = ''));
        }}
      />
      <span>
        Drop files here, or <span class="choose">choose them</span>
      </span>
    </label>
  );
}

function FileItem({ file, onDrop }: { readonly file: ChosenFile; readonly onDrop: () => void }) {
  const { name, size, fault } = file;
  return (
    <li>
      <div class="row">
        <span class="mono name">{name}</span>
        <span class="small muted">{bytesText(size)}</span>
        <Button kind="plain" aria-label={`Leave out ${name}`} onClick={onDrop}>
          Leave out
        </Button>
      </div>
      {fault && <p class="fault">{fault}</p>}
    </li>
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

/** Checks only the ends of the text. The service reports everything else, with positions. */
export function textFault(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return 'There is nothing in it.';
  if (/^(---|apiVersion:|kind:|items:)/.test(trimmed)) return 'This is YAML. Ask oc for “-o json”.';
  if (!/^[[{]/.test(trimmed)) return `This is not JSON. It begins with “${trimmed.slice(0, 20)}”.`;
  return /[\]}]$/.test(trimmed) ? null : 'The end is missing. Copy all that oc prints.';
}
