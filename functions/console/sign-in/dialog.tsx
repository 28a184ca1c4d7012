import type { ComponentChildren } from 'preact';
import type { SignIn, IssuerSignIn } from '../../site/schema.ts';
import type { ApiError } from '../data/responses.ts';
import { useJson } from '../data/use-query.ts';
import { Command, Button, Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { sentence } from '../ui/text.ts';
import { SignInButton, SignOut } from './buttons.tsx';
import { hostOf } from './issuer.ts';
import { readSession, storeToken, type Session } from './session.ts';

interface SignInDialogProps {
  /** Rejected request; null if the user opened the account dialog. */
  readonly refused: ApiError | null;
  readonly onClose: () => void;
}

export function SignInDialog({ refused, onClose }: SignInDialogProps) {
  const { value, error, reload } = useJson<SignIn>('/sign-in.json');
  return (
    <Dialog title={refused ? 'Sign in' : 'Account'} onClose={onClose}>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {!value && !error && <div class="skeleton" aria-busy="true" />}
      {value && <Instructions signIn={value} refused={refused} />}
    </Dialog>
  );
}

function Instructions({ signIn, refused }: { readonly signIn: SignIn; readonly refused: ApiError | null }) {
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

/** A browser cannot sign with AWS credentials, and must not have them. */
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

interface IssuerPartProps {
  readonly config: IssuerSignIn;
  readonly session: Session | null;
  readonly refused: ApiError | null;
}

function IssuerPart({ config, session, refused }: IssuerPartProps) {
  const host = hostOf(config.issuer);
  if (session === null) {
    return (
      <>
        <p>
          You sign in at <strong>{host}</strong> and come back to this page. What Cairn gets there stays in
          this tab only.
        </p>
        <Actions config={config} words="Sign in" />
      </>
    );
  }
  if (refused === null) {
    return (
      <>
        <p>{signedInAs(session)}.</p>
        <SignOut host={host} />
      </>
    );
  }
  if (refused.status === 403) {
    return (
      <>
        <p>
          {signedInAs(session)}, but may not do that. The service says: {sentence(refused.message)}
        </p>
        <p>
          It takes the scope <code>fleet:read</code> for looking, <code>fleet:write</code> for changing
          clusters and pruners, <code>fleet:admin</code> for starting runs. Who may have them is decided at{' '}
          {host}.
        </p>
        <Actions config={config} words="Sign in as somebody else" asAnother>
          <SignOut host={host} />
        </Actions>
      </>
    );
  }
  const isOver = session.expiresAt === null || session.expiresAt <= Date.now();
  return (
    <>
      <p>
        {isOver
          ? 'Your sign-in has ended.'
          : `${signedInAs(session)}, but this service does not take the token that ${host} gave. Whoever runs it ` +
            'can compare issuer and audience with its settings.'}
      </p>
      <Actions config={config} words="Sign in again">
        <SignOut host={host} />
      </Actions>
    </>
  );
}

function signedInAs({ name }: Session): string {
  return name === null ? 'You are signed in' : `You are signed in as ${name}`;
}

interface ActionsProps {
  readonly config: IssuerSignIn;
  readonly words: string;
  readonly asAnother?: boolean;
  readonly children?: ComponentChildren;
}

function Actions({ config, words, asAnother = false, children }: ActionsProps) {
  return (
    <div class="stack">
      <SignInButton
        config={() => config}
        words={words}
        returnTo={location.pathname + location.search}
        asAnother={asAnother}
      />
      {children}
    </div>
  );
}

/** Reloads the page with the token, so that no partial data stays. */
function TokenForm() {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const { value } = event.currentTarget.elements.namedItem('token') as HTMLInputElement;
        storeToken(value.trim(), null);
        location.reload();
      }}
    >
      <p>
        Paste a token that may read from this service: that of <code>AUTH_TOKEN</code> for a local run, one of
        your identity provider on AWS. It stays in this tab only.
      </p>
      <Field id="token" label="Token">
        <input id="token" name="token" class="input mono" type="password" required autocomplete="off" />
      </Field>
      <div class="row">
        <Button type="submit" kind="primary">
          Use it
        </Button>
      </div>
    </form>
  );
}
