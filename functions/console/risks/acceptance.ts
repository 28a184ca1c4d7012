import { readJson, send } from '../data/api.ts';
import { ApiError, type RiskAcceptance } from '../data/responses.ts';

export const ACCEPTANCES = '/v1/risk-acceptances';
export const acceptancePath = (id: string): string => `${ACCEPTANCES}/${encodeURIComponent(id)}`;

/** An acceptance with its entity tag. */
export interface HeldAcceptance {
  readonly acceptance: RiskAcceptance;
  readonly tag: string;
}

/** Fails if the acceptance is not as the page shows it. */
export async function readAsShown(shown: RiskAcceptance): Promise<HeldAcceptance> {
  const response = await send(acceptancePath(shown.id));
  const acceptance = await readJson<RiskAcceptance>(response);
  if (acceptance.changed.at !== shown.changed.at) {
    throw new ApiError('read it again before you change it', {
      status: 412,
      code: 'changed',
      title: `${acceptance.changed.by} changed the acceptance meanwhile`,
    });
  }
  return { acceptance, tag: response.headers.get('etag')! };
}
