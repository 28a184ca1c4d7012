import { useState } from 'preact/hooks';
import { readToken } from '../data/token.ts';
import { useStatus } from '../data/status.ts';
import { lazy } from '../ui/lazy.tsx';

const SignInDialog = lazy(async () => (await import('../sign-in/dialog.tsx')).SignInDialog);

/** Shown once something was refused for want of a right, and to those who have signed in. */
export function SignIn() {
  const { refused } = useStatus();
  const [isOpen, setOpen] = useState(false);
  if (!refused && !readToken()) return null;
  return (
    <>
      <button type="button" class={refused ? 'button primary' : 'button'} onClick={() => setOpen(true)}>
        {refused ? 'Sign in' : 'Account'}
      </button>
      {isOpen && <SignInDialog refused={refused} onClose={() => setOpen(false)} />}
    </>
  );
}
