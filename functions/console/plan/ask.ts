import { setState } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';

/** A new question: what was chosen among the answers to the former one goes. A cluster stands where it stands. */
export function askFor(patch: Partial<UrlState>): void {
  const leavesCluster = patch.from !== undefined || patch.arch !== undefined;
  setState(
    { alt: 0, sel: '', minors: null, ...(leavesCluster && { cluster: '' }), ...patch },
    { push: true },
  );
}
