import { useEffect, useState } from 'preact/hooks';
import { getJson } from '../data/api.ts';
import { ApiError, type PrunerRunAnswer } from '../data/responses.ts';
import { announce } from '../ui/announce.ts';
import type { ActiveRun } from './pruner-words.ts';

const FIRST_MS = 1000;
const EVERY_MS = 5000;

export type RunProgress = ActiveRun | Extract<PrunerRunAnswer, { state: 'waiting' }>;

/** Polls a run every five seconds until it ends; null polls nothing. Announces only the end. */
export function useRunProgress(path: string | null, onEnd: () => void): RunProgress | null {
  const [progress, setProgress] = useState<RunProgress | null>(null);
  useEffect(() => {
    setProgress(null);
    if (path === null) return undefined;
    const abort = new AbortController();
    let timer = 0;
    const look = async (): Promise<void> => {
      let run: PrunerRunAnswer | null = null;
      try {
        run = await getJson<PrunerRunAnswer>(path, abort.signal);
      } catch (error) {
        if (abort.signal.aborted) return;
        // Retry transient errors; an unknown run has ended.
        if (!(error instanceof ApiError)) throw error;
        if (!error.isPassing) return end('The run cannot be followed any more');
      }
      if (run?.state === 'finished') return end(`The run has ended: ${run.message}`);
      if (run?.state === 'skipped') return end(`The run was skipped: ${run.message}`);
      if (run) setProgress(run);
      timer = window.setTimeout(() => void look(), EVERY_MS);
    };
    const end = (words: string): void => {
      announce(words);
      setProgress(null);
      onEnd();
    };
    timer = window.setTimeout(() => void look(), FIRST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [path]);
  return progress;
}
