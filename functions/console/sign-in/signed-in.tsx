import { useEffect, useState } from 'preact/hooks';
import type { SignIn } from '../../site/schema.ts';
import { getJson } from '../data/api.ts';
import { showTheme, storedTheme } from '../layout/header.tsx';
import { inWords, SignInButton } from './buttons.tsx';
import { finishSignIn, takeAttempt } from './flow.ts';
import { SignInError } from './issuer.ts';

interface Failure {
  readonly words: string;
  readonly returnTo: string;
}

/** Redirect target: gets the token and restores the previous page. */
export function SignedIn({ onDone }: { readonly onDone: () => void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    showTheme(storedTheme());
    document.title = 'Sign in – Cairn';
    const answer = new URLSearchParams(location.search);
    // First, so that no code stays in the URL.
    history.replaceState(null, '', location.pathname);
    const attempt = takeAttempt();
    const returnTo = attempt?.returnTo ?? '/';
    finishSignIn(attempt, answer).then(
      () => {
        history.replaceState(null, '', returnTo);
        onDone();
      },
      (error: unknown) => setFailure({ words: inWords(error), returnTo }),
    );
  }, []);
  return (
    <main class="page stack">
      {failure === null ? (
        <p role="status" aria-busy="true">
          Signing in…
        </p>
      ) : (
        <Failed {...failure} />
      )}
    </main>
  );
}

function Failed({ words, returnTo }: Failure) {
  return (
    <>
      <h1>You are not signed in</h1>
      <p class="note block" role="alert">
        {words}
      </p>
      <SignInButton config={issuerConfig} words="Sign in again" returnTo={returnTo} />
      <p>
        <a href={returnTo}>Back to the page without signing in</a>
      </p>
    </>
  );
}

async function issuerConfig() {
  const signIn = await getJson<SignIn>('/sign-in.json');
  if (signIn.kind === 'oidc') return signIn;
  throw new SignInError('This service has no issuer to sign in at.');
}
