import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ClusterSummary, PlanAnswer } from '../data/answers.ts';
import { ApiError } from '../data/api-error.ts';
import { getJson } from '../data/api.ts';
import type { Outlooks } from './fleet-rows.ts';
import { failedOutlook, outlookOf, type Outlook } from './outlook.ts';
import { taskQueue } from './task-queue.ts';

const AT_ONCE = 3;

/** What plans come to, of clusters that were asked for; each is asked for once per report. */
export function useOutlooks(): {
  readonly outlooks: Outlooks;
  readonly ask: (cluster: ClusterSummary) => void;
} {
  const [outlooks, setOutlooks] = useState<Outlooks>(new Map());
  const queue = useMemo(() => taskQueue(AT_ONCE), []);
  const asked = useRef(new Map<string, string>());
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const ask = ({ id, updatedAt }: ClusterSummary): void => {
    if (asked.current.get(id) === updatedAt) return;
    asked.current.set(id, updatedAt);
    const { signal } = abort.current;
    queue(async () => {
      if (signal.aborted) return;
      const outlook = await load(id, signal);
      if (outlook) setOutlooks((former) => new Map(former).set(id, outlook));
    });
  };
  return { outlooks, ask };
}

async function load(id: string, signal: AbortSignal): Promise<Outlook | null> {
  try {
    return outlookOf(
      await getJson<PlanAnswer>(`/v1/clusters/${encodeURIComponent(id)}/upgrade-plan`, signal),
    );
  } catch (error) {
    if (signal.aborted) return null;
    if (!(error instanceof ApiError)) throw error;
    return failedOutlook(error);
  }
}
