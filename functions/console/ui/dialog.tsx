import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './controls.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Modal: the browser traps the focus and restores it. */
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
      // The close event fires later, when another dialog can be open.
      shown.removeEventListener('close', closed);
      // Close first: an open modal blocks the focus elsewhere.
      shown.close();
      opener?.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id}>
      <div class="stack">
        <div class="row spread">
          <h2 id={id}>{title}</h2>
          <Button kind="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            ✕
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
