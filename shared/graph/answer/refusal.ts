export type RefusalCode =
  | 'not_an_object'
  | 'schema_version'
  | 'nodes_missing'
  | 'edges_missing'
  | 'bad_edge'
  | 'bad_conditional_edges'
  | 'duplicate_version'
  | 'self_edge'
  | 'cycle'
  | 'too_many_nodes'
  | 'too_many_edges'
  | 'too_many_conditional_groups'
  | 'too_many_conditional_edges'
  | 'too_many_risks';

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
