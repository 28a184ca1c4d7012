export type RefusalCode =
  | 'NotAnObject'
  | 'SchemaVersion'
  | 'NodesMissing'
  | 'EdgesMissing'
  | 'BadEdge'
  | 'BadConditionalEdges'
  | 'DuplicateVersion'
  | 'SelfEdge'
  | 'Cycle'
  | 'TooManyNodes'
  | 'TooManyEdges'
  | 'TooManyConditionalGroups'
  | 'TooManyConditionalEdges'
  | 'TooManyRisks';

/** Why nothing of an answer is taken over. */
export interface Refusal {
  readonly ok: false;
  readonly code: RefusalCode;
  readonly detail: string;
}

export function refuse(code: RefusalCode, detail: string): Refusal {
  return { ok: false, code, detail };
}

export function tooMany(code: RefusalCode, count: number, limit: number): Refusal | null {
  return count > limit ? refuse(code, `${count} in the answer, at most ${limit} are accepted`) : null;
}
