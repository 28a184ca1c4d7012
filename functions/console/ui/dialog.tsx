import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus in it and gives it back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const shown = dialog.current!;
    const closed = (): void => latest.current();
    shown.addEventListener('close', closed);
    shown.showModal();
    return () => {
      // It says so a moment later, when another one may be open.
      shown.removeEventListener('close', closed);
      // While it is open nothing else takes the focus.
      shown.close();
      opener?.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id}>
      <div class="stack">
        <div class="row spread">
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            class="button icon"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
