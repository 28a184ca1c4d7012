import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/lanes.css';
import './styles/plan.css';
import './styles/releases.css';
import './styles/fleet.css';
import './styles/print.css';

render(<App />, document.getElementById('app')!);
