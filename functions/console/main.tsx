import { render } from 'preact';
import { App } from './app.tsx';
import { lazy } from './ui/lazy.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/lanes.css';
import './styles/plan.css';
import './styles/releases.css';
import './styles/fleet.css';
import './styles/updates.css';
import './styles/update-details.css';
import './styles/update-widths.css';
import './styles/print.css';

const SignedIn = lazy(async () => (await import('./sign-in/signed-in.tsx')).SignedIn);

const root = document.getElementById('app')!;
const start = (): void => render(<App />, root);
// Redirect target of the issuer.
if (location.pathname === '/signed-in') render(<SignedIn onDone={start} />, root);
else start();
