import { parseChannel } from '@cairn/shared/releases/channel';
import { minorOf } from '@cairn/shared/version/minor';
import { parseVersion } from '@cairn/shared/version/release-version';
import { useState } from 'preact/hooks';
import { readJson, send, withQuery } from '../data/api.ts';
import type { ClusterSummary, SettingsAnswer } from '../data/responses.ts';
import { announce } from '../ui/announce.ts';
import { Button } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { TextField } from '../ui/fields.tsx';
import { useAction } from './parts.tsx';

interface TargetProps {
  readonly id: string;
  /** Version at the last assessment. */
  readonly target: string | null;
  readonly held: HeldSettings;
  readonly onChange: () => void;
}

export function ClusterTarget({ id, target, held, onChange }: TargetProps) {
  const [typed, setTyped] = useState('');
  const [saved, setSaved] = useState('');
  const { error, isBusy, run, forgetError } = useAction();
  const chosen = held.settings.target;
  const fault = error?.faults.find(({ pointer }) => pointer === '/target')?.detail;

  const save = (wanted: string | null): Promise<void> =>
    run(async () => {
      setSaved('');
      try {
        await changeTarget(id, held, wanted);
      } finally {
        // Reload even after a rejection, so that the next attempt uses the current settings.
        onChange();
      }
      const words = wanted === null ? `${id} goes where it usually would` : `${id} goes to ${wanted}`;
      announce(words);
      setSaved(`${words} now. The list follows within minutes.`);
      setTyped('');
    });

  return (
    <section class="stack-small">
      <h2>Target</h2>
      <TargetText chosen={chosen} target={target} />
      <form
        class="row target-form no-print"
        onSubmit={(event) => {
          event.preventDefault();
          void save(typed);
        }}
      >
        <TextField
          id="cluster-target"
          label="Choose a target"
          placeholder="4.16, 4.16.20 or latest"
          value={typed}
          fault={fault ?? null}
          onInput={(text) => {
            setTyped(text);
            forgetError();
          }}
        />
        <Button type="submit" disabled={isBusy || typed === ''}>
          Set target
        </Button>
        {chosen !== undefined && (
          <Button disabled={isBusy} onClick={() => void save(null)}>
            Back to the usual
          </Button>
        )}
      </form>
      {saved && <p class="note ok">{saved}</p>}
      {error && !fault && <ErrorNote error={error} />}
    </section>
  );
}

interface TargetTextProps {
  readonly chosen: string | undefined;
  readonly target: string | null;
}

function TargetText({ chosen, target }: TargetTextProps) {
  return (
    <p>
      {chosen === undefined ? (
        <>
          {target === null ? 'Not known yet' : <span class="mono">{target}</span>}, as usual: to the minor of
          its channel, or to the next one.
        </>
      ) : (
        <>
          <span class="mono">{chosen}</span>, chosen for this cluster
          {target !== null && target !== chosen && (
            <>
              . When it was last looked at that was <span class="mono">{target}</span>
            </>
          )}
          .
        </>
      )}
    </p>
  );
}

/** Upgrade settings with their ETag. */
export interface HeldSettings {
  readonly settings: SettingsAnswer;
  readonly tag: string;
}

const pathOf = (id: string): string => `/v1/clusters/${encodeURIComponent(id)}/settings`;

export async function readSettings(id: string, signal: AbortSignal): Promise<HeldSettings> {
  return heldIn(await send(pathOf(id), { signal }));
}

/** Null resets the target to its default. Fails if other settings have changed since they were read. */
export async function changeTarget(
  id: string,
  { settings, tag }: HeldSettings,
  target: string | null,
): Promise<HeldSettings> {
  const { target: _former, accept_risk: acceptRisks, time_zone: timeZone, ...same } = settings;
  const others = { ...same, acceptRisks, timeZone };
  const response = await send(pathOf(id), {
    method: 'PUT',
    type: 'application/json',
    headers: { 'if-match': tag },
    body: JSON.stringify(target === null ? others : { ...others, target }),
  });
  return heldIn(response);
}

async function heldIn(response: Response): Promise<HeldSettings> {
  return { settings: await readJson<SettingsAnswer>(response), tag: response.headers.get('etag')! };
}

/** Same target and conditions as in the list. */
export function planAddress(cluster: ClusterSummary, settings: SettingsAnswer): string {
  const usual = settings.target === undefined ? goalOf(cluster) : { to: settings.target, channel: '' };
  return withQuery(`/v1/clusters/${encodeURIComponent(cluster.id)}/upgrade-plan`, {
    target: usual.to,
    channel: [settings.channel ?? usual.channel].flat().join(','),
    accept_risk: settings.accept_risk?.join(',') ?? '',
    accept: settings.accept?.join(',') ?? '',
    policy: settings.policy ?? '',
    strategy: settings.strategy ?? '',
  });
}

/** Empty fields use the defaults of the service. */
interface Goal {
  readonly to: string;
  readonly channel: string;
}

/** Uses the cluster's channel only if it leads to the target: `stable-4.14` does not lead to 4.15. */
export function goalOf({ target, channel }: Pick<ClusterSummary, 'target' | 'channel'>): Goal {
  const version = parseVersion(target ?? '');
  if (version === null) return { to: '', channel: channel ?? '' };
  const leadsThere = parseChannel(channel ?? '')?.minor === minorOf(version);
  return { to: version.raw, channel: leadsThere ? channel! : '' };
}
