import { messageOf } from '@cairn/shared/text/quote';
import { useState } from 'preact/hooks';
import type { IssuerSignIn } from '../../site/schema.ts';
import { CACHE } from '../data/use-query.ts';
import { Button } from '../ui/controls.tsx';
import { startSignIn, type StartOptions } from './flow.ts';
import { SignInError } from './issuer.ts';
import { forgetToken } from './session.ts';

interface SignInButtonProps extends StartOptions {
  readonly config: () => Promise<IssuerSignIn> | IssuerSignIn;
  readonly words: string;
}

export function SignInButton({ config, words, ...options }: SignInButtonProps) {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: string | null }>({
    isBusy: false,
    failure: null,
  });
  const start = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await startSignIn(await config(), options);
      // Reset the state for users who return with the Back button.
      setState({ isBusy: false, failure: null });
    } catch (error) {
      setState({ isBusy: false, failure: inWords(error) });
    }
  };
  return (
    <>
      {state.failure !== null && (
        <p class="note block" role="alert">
          {state.failure}
        </p>
      )}
      <Button
        kind="primary"
        aria-busy={state.isBusy}
        // Not disabled, which would lose the focus.
        onClick={() => {
          if (!state.isBusy) void start();
        }}
      >
        {words}
      </Button>
    </>
  );
}

/** Unexpected errors also go to the browser's error reporting. */
export function inWords(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  reportError(error);
  return messageOf(error);
}

export function SignOut({ host }: { readonly host?: string }) {
  return (
    <div class="stack-small">
      <div class="row">
        <Button
          onClick={() => {
            void signOut().then(() => location.reload());
          }}
        >
          Sign out
        </Button>
      </div>
      <p class="small muted">
        This tab forgets the token and the data that it kept.
        {host !== undefined && ` At ${host} you stay signed in.`}
      </p>
    </div>
  );
}

/** Deletes the data cached with the token too. */
async function signOut(): Promise<void> {
  forgetToken();
  // Browsers offer the cache on https and localhost only.
  if ('caches' in globalThis) await caches.delete(CACHE);
}
