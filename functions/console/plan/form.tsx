import { useEffect, useState } from 'preact/hooks';
import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { ARCHES } from '@cairn/shared/version/arch';
import { setState } from '../state/navigation.ts';
import { MOST_NODES, type UrlState } from '../state/url-state.ts';
import { Combobox } from '../ui/combobox.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { ChannelSelect } from './channel-select.tsx';
import { askFor } from './ask.ts';
import { RiskChoices } from './risks.tsx';
import { fromFault, fromSuggestions, toFault, toSuggestions } from './suggestions.ts';

export interface PlanFormProps {
  readonly state: UrlState;
  /** Null until the releases are known. */
  readonly directory: ChannelDirectory | null;
}

const FROM_ID = 'plan-from';
const TO_ID = 'plan-to';

/** What is planned. Text is asked for on Enter, on a suggestion and on the button; all else at once. */
export function PlanForm({ state, directory }: PlanFormProps) {
  const [from, setFrom] = useState(state.from);
  const [to, setTo] = useState(state.to);
  const [isFromMissing, setFromMissing] = useState(false);
  useEffect(() => setFrom(state.from), [state.from]);
  useEffect(() => setTo(state.to), [state.to]);
  useShortcuts({ '/': () => document.getElementById(FROM_ID)?.focus() });

  // Half a version is no fault: only what was asked for is judged.
  const [judged, setJudged] = useState({ from: state.from, to: state.to });
  useEffect(() => setJudged({ from: state.from, to: state.to }), [state.from, state.to]);
  const faults = {
    from: isFromMissing
      ? 'Give the version that the cluster runs'
      : judged.from === from
        ? fromFault(directory, from)
        : null,
    to: judged.to === to ? toFault(directory, to) : null,
  };

  const plan = (asked: { readonly from: string; readonly to: string }): void => {
    setJudged(asked);
    setFromMissing(asked.from === '');
    // What is no version at all cannot be asked for; an unknown one gets an explanation.
    const isFromUsable = asked.from !== '' && fromFault(null, asked.from) === null;
    if (!isFromUsable || toFault(null, asked.to) !== null) {
      document.getElementById(isFromUsable ? TO_ID : FROM_ID)?.focus();
      return;
    }
    askFor({ from: asked.from, to: asked.to === 'latest' ? '' : asked.to });
  };

  return (
    <form
      class="bar plan-form"
      role="search"
      aria-label="Plan an upgrade"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        plan({ from, to });
      }}
    >
      <Combobox
        id={FROM_ID}
        label="From"
        value={from}
        placeholder="4.14.30"
        suggest={(typed) => (directory ? fromSuggestions(directory, typed) : [])}
        fault={faults.from}
        onInput={(value) => {
          setFrom(value);
          setFromMissing(false);
        }}
        onCommit={(value) => plan({ from: value, to })}
      />
      <Combobox
        id={TO_ID}
        label="To"
        value={to}
        placeholder="latest"
        suggest={(typed) => (directory ? toSuggestions(directory, typed, from) : [])}
        fault={faults.to}
        onInput={setTo}
        onCommit={(value) => {
          // The start is still to come.
          if (from !== '') plan({ from, to: value });
        }}
      />
      <ChannelSelect channel={state.channel} directory={directory} />
      <div class="field">
        <label for="plan-arch">Architecture</label>
        <select
          id="plan-arch"
          class="input"
          value={state.arch}
          onChange={(event) => askFor({ arch: event.currentTarget.value as UrlState['arch'] })}
        >
          {ARCHES.map((arch) => (
            <option key={arch}>{arch}</option>
          ))}
        </select>
      </div>
      <RiskChoices risks={state.risks} />
      <div class="plan-last">
        {/* Of a cluster it is known how many it has. */}
        {state.cluster === '' && (
          <div class="field nodes-field">
            <label for="plan-nodes">Nodes</label>
            <input
              id="plan-nodes"
              class="input"
              type="number"
              min={1}
              max={MOST_NODES}
              value={state.nodes}
              onChange={(event) => {
                const nodes = Math.round(event.currentTarget.valueAsNumber);
                if (nodes >= 1 && nodes <= MOST_NODES) setState({ nodes }, { push: true });
                else event.currentTarget.value = String(state.nodes);
              }}
            />
          </div>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={state.pause}
            onChange={(event) => setState({ pause: event.currentTarget.checked }, { push: true })}
          />
          Pause workers
        </label>
        <button type="submit" class="button primary">
          Plan
        </button>
      </div>
    </form>
  );
}
