import { useEffect, useState } from 'preact/hooks';
import type { View } from '../../site/routes.ts';
import { readUrl, writeUrl, type ReadUrl, type UrlState } from './url-state.ts';

/** In the order of the tabs. */
export const TITLES: Readonly<Record<View, string>> = {
  plan: 'Plan',
  versions: 'Versions',
  channels: 'Channels',
  risks: 'Risks',
  clusters: 'Clusters',
  updates: 'Updates',
  pruners: 'Pruners',
};
export const VIEWS = Object.keys(TITLES) as View[];

export interface Place extends ReadUrl {
  readonly view: View;
}

export function pathOf(view: View): string {
  return view === 'plan' ? '/' : `/${view}`;
}

function placeNow(): Place {
  const name = location.pathname.slice(1);
  return { view: VIEWS.find((view) => view === name) ?? 'plan', ...readUrl(location.search) };
}

const listeners = new Set<() => void>();
const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** Updates on links, forms and Back. */
export function usePlace(): Place {
  const [place, setPlace] = useState(placeNow);
  useEffect(() => {
    const update = (): void => setPlace(placeNow());
    listeners.add(update);
    addEventListener('popstate', update);
    return () => {
      listeners.delete(update);
      removeEventListener('popstate', update);
    };
  }, []);
  return place;
}

/** Current state changed by `patch`. */
export function linkTo(view: View, patch: Partial<UrlState>): string {
  const { state, others } = placeNow();
  return pathOf(view) + writeUrl({ ...state, ...patch }, others);
}

/** Adds a history entry. */
export function go(view: View, patch: Partial<UrlState>): void {
  move(linkTo(view, patch), true);
}

/** `push` adds a history entry: for a new plan, not for a selection. */
export function setState(patch: Partial<UrlState>, { push }: { readonly push: boolean }): void {
  move(linkTo(placeNow().view, patch), push);
}

function move(href: string, push: boolean): void {
  if (href === location.pathname + location.search) return;
  history[push ? 'pushState' : 'replaceState'](null, '', href);
  notifyListeners();
}

/** Navigates without a reload, unless the click opens a new tab. */
export function followInPage(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLAnchorElement).href;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { pathname, search } = new URL(link);
  move(pathname + search, true);
  scrollTo(0, 0);
}
