import { CACHE } from '../data/use-query.ts';
import { forgetToken } from './session.ts';

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
