import type { ComponentChildren } from 'preact';
import type { IssuerSignIn } from '../../site/sign-in.ts';
import type { ApiError } from '../data/api-error.ts';
import { sentence } from '../ui/words.ts';
import { hostOf } from './issuer.ts';
import type { Session } from './session.ts';
import { SignInButton } from './buttons.tsx';
import { SignOut } from './sign-out.tsx';

export interface IssuerPartProps {
  readonly config: IssuerSignIn;
  readonly session: Session | null;
  readonly refused: ApiError | null;
}

/** Signing in at an issuer, and how that stands. */
export function IssuerPart({ config, session, refused }: IssuerPartProps) {
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
