import type { SignIn } from '../../site/sign-in.ts';
import type { ApiError } from '../data/api-error.ts';
import { getJson } from '../data/api.ts';
import { useResource } from '../data/resource.ts';
import { Command } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { sentence } from '../ui/words.ts';
import { IssuerPart } from './issuer-part.tsx';
import { readSession } from './session.ts';
import { SignOut } from './sign-out.tsx';
import { TokenForm } from './token-form.tsx';

export interface SignInDialogProps {
  /** What was refused for want of a right; null for those who look at how they are signed in. */
  readonly refused: ApiError | null;
  readonly onClose: () => void;
}

/** How a person gets to what is not open here. */
export function SignInDialog({ refused, onClose }: SignInDialogProps) {
  const { value, error, reload } = useResource('sign-in', (signal) =>
    getJson<SignIn>('/sign-in.json', signal),
  );
  return (
    <Dialog title={refused ? 'Sign in' : 'Account'} onClose={onClose}>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {!value && !error && <div class="skeleton" aria-busy="true" />}
      {value && <Way signIn={value} refused={refused} />}
    </Dialog>
  );
}

function Way({ signIn, refused }: { readonly signIn: SignIn; readonly refused: ApiError | null }) {
  if (signIn.kind === 'oidc') {
    return <IssuerPart config={signIn} session={readSession()} refused={refused} />;
  }
  if (signIn.kind === 'iam') return <SignedOnly />;
  if (signIn.kind === 'signed') {
    return (
      <p>
        Your requests are signed on this machine, and AWS refused one.
        {refused && ` It says: ${sentence(refused.message)}`} The credentials need the right{' '}
        <code>execute-api:Invoke</code> on this API.
      </p>
    );
  }
  if (refused) return <TokenForm />;
  return (
    <>
      <p>This tab uses the token that you gave.</p>
      <SignOut />
    </>
  );
}

/** A browser can't sign with AWS credentials, and should not have them. */
function SignedOnly() {
  return (
    <>
      <p>
        This service takes only requests that are signed with AWS credentials, which a browser cannot do. This
        opens the same page on your machine, with the credentials that you have there; run it in the folder of
        Cairn:
      </p>
      <Command command={`npm run console -- --url ${location.origin}`} />
      <p>
        Whoever runs this service can let people sign in here instead, with <code>access.jwt.signIn</code> in
        its settings.
      </p>
    </>
  );
}
