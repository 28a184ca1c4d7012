import { useState } from 'preact/hooks';
import { useSignInNeeded } from '../data/sign-in-needed.ts';
import { lazy } from '../ui/lazy.tsx';

const TokenDialog = lazy(async () => (await import('./token-dialog.tsx')).TokenDialog);

/** Shown once something was refused for want of a token. */
export function SignIn() {
  const isNeeded = useSignInNeeded();
  const [isOpen, setOpen] = useState(false);
  if (!isNeeded) return null;
  return (
    <>
      <button type="button" class="button primary" onClick={() => setOpen(true)}>
        Sign in
      </button>
      {isOpen && <TokenDialog onClose={() => setOpen(false)} />}
    </>
  );
}
