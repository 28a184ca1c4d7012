import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { View } from '../site/routes.ts';
import { DataBadges, Notices, SignIn, ThemeButton } from './layout/header.tsx';
import { followInPage, linkTo, pathOf, TITLES, usePlace, VIEWS, type Place } from './state/navigation.ts';
import { WHOLE_LIST } from './state/url-state.ts';
import { ANNOUNCEMENTS_ID, useShortcuts } from './ui/announce.ts';
import { Button } from './ui/controls.tsx';
import { Guarded } from './ui/errors.tsx';
import { lazy } from './ui/lazy.tsx';
import { PlanView } from './views/plan.tsx';

/** The plan view is in the first bundle; the others load on demand. */
const SCREENS: Readonly<Record<View, ComponentType<{ readonly place: Place }>>> = {
  plan: PlanView,
  versions: lazy(async () => (await import('./views/versions.tsx')).VersionsView),
  channels: lazy(async () => (await import('./views/channels.tsx')).ChannelsView),
  risks: lazy(async () => (await import('./views/risks.tsx')).RisksView),
  clusters: lazy(async () => (await import('./views/clusters.tsx')).ClustersView),
  updates: lazy(async () => (await import('./views/updates.tsx')).UpdatesView),
  pruners: lazy(async () => (await import('./views/pruners.tsx')).PrunersView),
};
const Help = lazy(async () => (await import('./layout/help.tsx')).Help);

/** Keeps the plan's choices in the link, so that another view does not lose them. Updates begin with the whole fleet. */
function tabLink(name: View, shown: View): string {
  if (name === shown) return pathOf(name);
  return linkTo(name, name === 'updates' ? { ...WHOLE_LIST, cluster: '' } : WHOLE_LIST);
}

export function App() {
  const place = usePlace();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { view, state } = place;
  useEffect(() => {
    const what = view === 'plan' && state.from ? `${state.from} to ${state.to || 'latest'}` : TITLES[view];
    document.title = `${what} – Cairn`;
  }, [view, state.from, state.to]);
  const isWall = view === 'updates' && state.wall;
  useEffect(() => {
    const { dataset } = document.documentElement;
    // Style sheets choose the tokens of the view by these.
    dataset['view'] = view;
    if (isWall) dataset['wall'] = '';
    else delete dataset['wall'];
  }, [view, isWall]);
  useShortcuts({ '?': () => setHelpOpen(true) });
  const Screen = SCREENS[view];
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <header class="bar header">
        <a class="brand" href="/" onClick={followInPage}>
          Cairn
        </a>
        <nav class="tabs" aria-label="Views">
          {VIEWS.map((name) => (
            <a
              key={name}
              class="tab"
              href={tabLink(name, view)}
              aria-current={name === view ? 'page' : undefined}
              onClick={followInPage}
            >
              {TITLES[name]}
            </a>
          ))}
        </nav>
        <div class="row push controls">
          <DataBadges />
          <SignIn />
          <Button kind="icon" aria-label="Help and keyboard shortcuts" onClick={() => setHelpOpen(true)}>
            ?
          </Button>
          <ThemeButton fromUrl={state.theme ?? (isWall ? 'dark' : null)} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Notices mistakes={place.mistakes} />
        <Guarded key={view}>
          <Screen place={place} />
        </Guarded>
      </main>
      <div id={ANNOUNCEMENTS_ID} class="visually-hidden" role="status" aria-live="polite" />
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  );
}
