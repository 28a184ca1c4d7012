import { countInWords } from '@cairn/shared/text/words';
import { useState } from 'preact/hooks';
import { send } from '../data/api.ts';
import type { ApiError, RiskAcceptance, RiskCluster } from '../data/responses.ts';
import { useAction } from '../fleet/parts.tsx';
import { Button, Check, Field, faultProps } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/errors.tsx';
import { sentence } from '../ui/text.ts';
import { acceptancePath, type HeldAcceptance } from './acceptance.ts';
import { exposureOf } from './exposure.ts';
import { dayInWords } from './words.ts';

interface FormProps {
  readonly risk: string;
  readonly exposed: readonly RiskCluster[];
  /** Null for a new acceptance. */
  readonly held: HeldAcceptance | null;
  readonly onSaved: (words: string) => void;
  readonly onCancel: () => void;
}

type Fields = Pick<RiskAcceptance, 'clusters' | 'owner' | 'until' | 'reason'>;

const DAY_MS = 24 * 3600_000;
const NOTHING: Fields = { clusters: [], owner: '', until: '', reason: '' };
const FIELDS = ['clusters', 'owner', 'until', 'reason'] as const;

export function AcceptanceForm({ risk, exposed, held, onSaved, onCancel }: FormProps) {
  const [fields, setFields] = useState(() => (held ? fieldsOf(held.acceptance) : NOTHING));
  const [saved, setSaved] = useState('');
  const { error, isBusy, run, forgetError } = useAction();
  const faults = faultsOf(error);
  const set = (patch: Partial<Fields>): void => {
    setFields((former) => ({ ...former, ...patch }));
    setSaved('');
    forgetError();
  };
  const save = async (): Promise<void> => {
    await send(acceptancePath(held?.acceptance.id ?? newId(risk)), {
      method: 'PUT',
      type: 'application/json',
      headers: held ? { 'if-match': held.tag } : { 'if-none-match': '*' },
      body: JSON.stringify({ risk, ...fields }),
    });
    const words = `Accepted for ${forWords(fields.clusters)} until ${dayInWords(endOf(fields.until))}.`;
    setFields(NOTHING);
    setSaved(words);
    onSaved(words);
  };
  return (
    <form
      class="risk-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
      <ClusterChoice
        exposed={exposed}
        chosen={fields.clusters}
        fault={faults.clusters}
        onChange={(clusters) => set({ clusters })}
      />
      <TextInput label="Owner" of="owner" fields={fields} fault={faults.owner} onChange={set} />
      <TextInput label="Expires" of="until" fields={fields} fault={faults.until} onChange={set} />
      <TextInput label="Reason" of="reason" fields={fields} fault={faults.reason} onChange={set} />
      {error && !FIELDS.some((name) => faults[name]) && <ErrorNote error={error} />}
      {saved !== '' && <p class="note ok">{saved} The counts follow within minutes.</p>}
      <div class="row spread">
        <p class="small muted">{hintOf(fields.until)}</p>
        <div class="row">
          {held && <Button onClick={onCancel}>Cancel</Button>}
          <Button kind="primary" type="submit" disabled={isBusy}>
            {held
              ? 'Change acceptance'
              : fields.clusters.length === 0
                ? 'Accept risk'
                : `Accept risk for ${forWords(fields.clusters)}`}
          </Button>
        </div>
      </div>
    </form>
  );
}

function fieldsOf({ clusters, owner, until, reason }: RiskAcceptance): Fields {
  return { clusters, owner, reason, until: new Date(Date.parse(until) - 1).toISOString().slice(0, 10) };
}

/** The service chooses no id. */
function newId(risk: string): string {
  const start = risk.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${start.slice(0, 48)}-${crypto.randomUUID().slice(0, 8)}`;
}

const forWords = (clusters: Fields['clusters']): string =>
  clusters === 'all' ? 'all clusters' : countInWords(clusters.length, 'cluster');

/** A day counts to its end. */
function endOf(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString();
}

function hintOf(until: string): string {
  const days = until === '' ? 0 : Math.ceil((Date.parse(endOf(until)) - Date.now()) / DAY_MS);
  const end = days > 0 ? `Expires in ${countInWords(days, 'day')}; a notification` : 'A notification';
  return `The run sheet then prints the matching oc command. ${end} reminds you 7 days before the end.`;
}

type Faults = Readonly<Partial<Record<keyof Fields, string>>>;

/** What the service refuses, by field: `/clusters/3` is of the clusters. */
function faultsOf(error: ApiError | null): Faults {
  const found = (error?.faults ?? []).flatMap(({ pointer, detail }) => {
    const name = FIELDS.find((field) => pointer === `/${field}` || pointer?.startsWith(`/${field}/`));
    return name === undefined ? [] : [[name, sentence(detail)] as const];
  });
  return Object.fromEntries(found);
}

interface InputProps {
  readonly label: string;
  readonly of: 'owner' | 'until' | 'reason';
  readonly fields: Fields;
  readonly fault: string | undefined;
  readonly onChange: (patch: Partial<Fields>) => void;
}

function TextInput({ label, of, fields, fault, onChange }: InputProps) {
  const id = `acceptance-${of}`;
  const dates = of === 'until' && {
    type: 'date' as const,
    min: new Date().toISOString().slice(0, 10),
    max: new Date(Date.now() + 365 * DAY_MS).toISOString().slice(0, 10),
  };
  return (
    <Field id={id} label={label} fault={fault} kind={of}>
      <input
        id={id}
        class="input"
        autocomplete="off"
        {...dates}
        {...faultProps({ id, fault })}
        value={fields[of]}
        onInput={(event) => onChange({ [of]: event.currentTarget.value })}
      />
    </Field>
  );
}

interface ChoiceProps {
  readonly exposed: readonly RiskCluster[];
  readonly chosen: Fields['clusters'];
  readonly fault: string | undefined;
  readonly onChange: (clusters: Fields['clusters']) => void;
}

/** Clusters to which the risk applies or may apply; others of a former acceptance stay. */
function ClusterChoice({ exposed, chosen, fault, onChange }: ChoiceProps) {
  const named = chosen === 'all' ? [] : chosen;
  const offered = new Set([
    ...exposed.filter((cluster) => exposureOf(cluster) !== 'no').map(({ id }) => id),
    ...named,
  ]);
  const change = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...named, id] : named.filter((other) => other !== id));
  const id = 'acceptance-clusters';
  return (
    <fieldset class="field clusters" {...faultProps({ id, fault })}>
      <legend class="legend">Clusters</legend>
      <details class="risk-choice">
        <summary class="input">
          {chosen === 'all' ? 'All clusters' : named.length === 0 ? 'Choose clusters' : named.join(', ')}
        </summary>
        <div class="risk-options">
          <Check checked={chosen === 'all'} onChange={(isAll) => onChange(isAll ? 'all' : [])}>
            All clusters, also later ones
          </Check>
          {[...offered].map((cluster) => (
            <Check
              key={cluster}
              checked={chosen === 'all' || named.includes(cluster)}
              disabled={chosen === 'all'}
              onChange={(isChosen) => change(cluster, isChosen)}
            >
              {cluster}
            </Check>
          ))}
        </div>
      </details>
      {fault && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
