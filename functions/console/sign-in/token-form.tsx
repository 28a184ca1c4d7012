import { storeToken } from './session.ts';

/** Asks for a token; the page is loaded anew with it, so that nothing half-read stays. */
export function TokenForm() {
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
      <div class="field">
        <label for="token">Token</label>
        <input id="token" name="token" class="input mono" type="password" required autocomplete="off" />
      </div>
      <div class="row">
        <button type="submit" class="button primary">
          Use it
        </button>
      </div>
    </form>
  );
}
