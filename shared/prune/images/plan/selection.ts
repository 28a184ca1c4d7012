/** Why something stays. The first that holds counts, so that `in-use` is what would go if nobody used it. */
export type StayReason = 'kept' | 'in-use' | 'protected' | 'young' | 'frozen';

/**
 * Why something goes. `untagged`: no tag leads to the manifest; `superseded`: its tag has moved on; `unused`: its tag is
 * not in use; `subject-gone`: what it is about goes; `dangling`: the link leads to nothing; `unreferenced`: no kept
 * manifest of the repository has the layer, for a blob: of any; `abandoned`: an upload that nobody finished.
 */
export type GoReason =
  | 'untagged'
  | 'superseded'
  | 'unused'
  | 'subject-gone'
  | 'dangling'
  | 'unreferenced'
  | 'abandoned';

/** Fates as they are kept in columns: 0 is none yet, the lower of two reasons to stay is the stronger. */
export const KEPT = 1;
export const IN_USE = 2;
export const PROTECTED = 3;
export const YOUNG = 4;
export const FROZEN = 5;
export const UNTAGGED = 8;
export const SUPERSEDED = 9;
export const UNUSED = 10;
export const SUBJECT_GONE = 11;
export const DANGLING = 12;
export const UNREFERENCED = 13;

const STAY_REASONS: readonly StayReason[] = ['kept', 'in-use', 'protected', 'young', 'frozen'];
const GO_REASONS: readonly GoReason[] = [
  'untagged',
  'superseded',
  'unused',
  'subject-gone',
  'dangling',
  'unreferenced',
];

export function stays(fate: number): boolean {
  return fate < UNTAGGED;
}

export function stayReason(fate: number): StayReason {
  return STAY_REASONS[fate - KEPT]!;
}

export function goReason(fate: number): GoReason {
  return GO_REASONS[fate - UNTAGGED]!;
}
