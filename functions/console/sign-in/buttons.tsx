import { messageOf } from '@cairn/shared/text/quote';
import { useState } from 'preact/hooks';
import type { IssuerSignIn } from '../../site/schema.ts';
import { CACHE } from '../data/use-query.ts';
import { startSignIn, type StartOptions } from './flow.ts';
import { SignInError } from './issuer.ts';
import { forgetToken } from './session.ts';

interface SignInButtonProps extends StartOptions {
  readonly config: () => Promise<IssuerSignIn> | IssuerSignIn;
  readonly words: string;
}

/** Sends the person to the issuer, or says why that cannot be done. */
export function SignInButton({ config, words, ...options }: SignInButtonProps) {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: string | null }>({
    isBusy: false,
    failure: null,
  });
  const start = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await startSignIn(await config(), options);
      // Who comes back by the browser's own button finds the page as it was left.
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
      <button
        type="button"
        class="button primary"
        aria-busy={state.isBusy}
        // It keeps the focus, which a disabled one would lose.
        onClick={() => {
          if (!state.isBusy) void start();
        }}
      >
        {words}
      </button>
    </>
  );
}

/** Its own words for what is expected to happen; anything else is for the makers of the page too. */
export function inWords(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  reportError(error);
  return messageOf(error);
}

/** Forgets the token; the page is loaded anew without it. */
export function SignOut({ host }: { readonly host?: string }) {
  return (
    <div class="stack-small">
      <div class="row">
        <button
          type="button"
          class="button"
          onClick={() => {
            void signOut().then(() => location.reload());
          }}
        >
          Sign out
        </button>
      </div>
      <p class="small muted">
        This tab forgets the token and the data that it kept.
        {host !== undefined && ` At ${host} you stay signed in.`}
      </p>
    </div>
  );
}

/** What was read with the token goes with it. */
async function signOut(): Promise<void> {
  forgetToken();
  // Browsers have the cache on https and on localhost only.
  if ('caches' in globalThis) await caches.delete(CACHE);
}
