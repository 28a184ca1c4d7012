import type { HistoryEntry } from '../../cluster/facts.ts';

/** An entry as clusters write it; the state may be empty in those of old operators. */
export interface UpdateEntry extends Omit<HistoryEntry, 'state'> {
  readonly state: string;
}

/** The release that a cluster runs or is on its way to, as the operator sees it in one round. */
export interface ObservedRelease {
  /** Empty when it is not known yet. */
  readonly version: string;
  /** Empty while the release is not known: then there is nothing to write down. */
  readonly image: string;
  readonly completed: boolean;
  readonly verified: boolean;
  readonly acceptedRisks: string;
  /** The release is that of the operator itself, which nobody had to accept: accepted risks stay as they are. */
  readonly localPayload: boolean;
  readonly now: string;
}

type NamedRelease = Pick<HistoryEntry, 'version' | 'image'>;

/**
 * The history after one round of the cluster version operator, which prunes it next. The newest entry is completed or
 * filled in when it is about the observed release, otherwise a new one goes before it: `4.6.1 Completed` and an observed
 * 4.6.2 is `4.6.2 Partial, 4.6.1 Completed`. What is completed or verified once stays so.
 */
export function mergeRelease(
  history: readonly UpdateEntry[] | null,
  observed: ObservedRelease,
): readonly UpdateEntry[] {
  if (observed.image === '') return history ?? [];
  const [newest = begun(observed), ...older] = history ?? [];
  const names = namesOfOne(newest, observed);
  const state = newest.state || 'Partial';
  if (names === null) {
    const left = { ...newest, state, completionTime: newest.completionTime ?? observed.now };
    return [ended(begun(observed), observed), left, ...older];
  }
  const acceptedRisks = observed.localPayload ? newest.acceptedRisks : observed.acceptedRisks;
  return [ended({ ...newest, ...names, state, acceptedRisks }, observed), ...older];
}

/**
 * Version and image of a release when an entry and an observed one are the same, null when they are not. The same image
 * is enough while one of them has no version, and the same version while the entry has no image.
 */
export function namesOfOne(entry: NamedRelease, observed: NamedRelease): NamedRelease | null {
  const { version, image } = entry;
  if (observed.image !== '' && observed.image === image) {
    if (observed.version === '' || observed.version === version) return { version, image };
    return version === '' ? { version: observed.version, image } : null;
  }
  if (observed.version === '' || observed.version !== version) return null;
  return image === '' ? { version, image: observed.image } : null;
}

function begun({ version, image, acceptedRisks, now }: ObservedRelease): UpdateEntry {
  return {
    state: 'Partial',
    version,
    image,
    startedTime: now,
    completionTime: null,
    verified: false,
    acceptedRisks,
  };
}

function ended(entry: UpdateEntry, { completed, verified, now }: ObservedRelease): UpdateEntry {
  const whole = completed ? { state: 'Completed', completionTime: entry.completionTime ?? now } : {};
  return { ...entry, ...whole, verified: entry.verified || verified };
}
