import { groupBy } from '@cairn/shared/collection/group-by';
import type { ChannelDirectory, ListedChannel } from '@cairn/shared/path/channel-directory';
import { labelledChannel } from '@cairn/shared/releases/channel';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { minorOf } from '@cairn/shared/version/minor';
import { isPrerelease, type ReleaseVersion } from '@cairn/shared/version/release-version';
import { useEffect, useState } from 'preact/hooks';
import { setState } from '../state/navigation.ts';
import { MOST_NODES, type UrlState } from '../state/url-state.ts';
import { useShortcuts } from '../ui/announce.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Button, Check, ArchSelect, Field, Select } from '../ui/controls.tsx';
import { askFor } from './question.ts';
import { RiskChoices } from './risks.tsx';
import { fromFault, fromSuggestions, toFault, toSuggestions } from './suggestions.ts';

interface PlanFormProps {
  readonly state: UrlState;
  /** Null until releases are loaded. */
  readonly directory: ChannelDirectory | null;
}

const FROM_ID = 'plan-from';
const TO_ID = 'plan-to';

/** Text fields submit on Enter, on a suggestion and on the button; other fields submit on change. */
export function PlanForm({ state, directory }: PlanFormProps) {
  const { from, to, faults, typeFrom, typeTo, plan } = useTypedEnds(state, directory);
  useShortcuts({ '/': () => document.getElementById(FROM_ID)?.focus() });
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
        onInput={typeFrom}
        onCommit={(value) => plan({ from: value, to })}
      />
      <Combobox
        id={TO_ID}
        label="To"
        value={to}
        placeholder="recommended"
        suggest={(typed) => (directory ? toSuggestions(directory, typed, from) : [])}
        fault={faults.to}
        onInput={typeTo}
        onCommit={(value) => {
          // The start version is still missing.
          if (from !== '') plan({ from, to: value });
        }}
      />
      <ChannelSelect channel={state.channel} directory={directory} />
      <ArchSelect id="plan-arch" arch={state.arch} onChange={(arch) => askFor({ arch })} />
      <RiskChoices risks={state.risks} />
      <div class="plan-last">
        {/* A cluster has a known node count. */}
        {state.cluster === '' && <NodesField nodes={state.nodes} />}
        <Check checked={state.pause} onChange={(pause) => setState({ pause }, { push: true })}>
          Pause workers
        </Check>
        <Button type="submit" kind="primary">
          Plan
        </Button>
      </div>
    </form>
  );
}

/** Typed versions with their faults and the submit function. */
function useTypedEnds(state: UrlState, directory: ChannelDirectory | null) {
  const [from, setFrom] = useState(state.from);
  const [to, setTo] = useState(state.to);
  const [isFromMissing, setFromMissing] = useState(false);
  useEffect(() => setFrom(state.from), [state.from]);
  useEffect(() => setTo(state.to), [state.to]);

  // Validates only submitted values: a half-typed version is no fault.
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
    // Blocks text that is not a version; an unknown version gets an explanation.
    const isFromUsable = asked.from !== '' && fromFault(null, asked.from) === null;
    if (!isFromUsable || toFault(null, asked.to) !== null) {
      document.getElementById(isFromUsable ? TO_ID : FROM_ID)?.focus();
      return;
    }
    askFor(asked);
  };
  const typeFrom = (value: string): void => {
    setFrom(value);
    setFromMissing(false);
  };
  return { from, to, faults, typeFrom, typeTo: setTo, plan };
}

interface ChannelSelectProps {
  readonly channel: string;
  readonly directory: ChannelDirectory | null;
}

/** Lists channels that contain releases, newest minor first. */
function ChannelSelect({ channel, directory }: ChannelSelectProps) {
  const holding = (directory?.channels ?? []).filter(({ versions }) => versions.length > 0);
  const byMinor = [...groupBy(holding, ({ minor }) => minor)].toReversed();
  const isListed = channel === '' || holding.some(({ name }) => name === channel);
  return (
    <Select
      id="plan-channel"
      label="Channel"
      value={channel}
      onChange={(chosen) => askFor({ channel: chosen })}
    >
      <option value="">Best for this upgrade</option>
      {!isListed && <option value={channel}>{channel}</option>}
      {byMinor.map(([minor, channels]) => (
        <optgroup key={minor} label={minor}>
          {channels.map(({ name }) => (
            <option key={name} value={name}>
              {labelledChannel(name)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

function NodesField({ nodes }: Pick<UrlState, 'nodes'>) {
  return (
    <Field id="plan-nodes" label="Nodes" kind="nodes-field">
      <input
        id="plan-nodes"
        class="input"
        type="number"
        min={1}
        max={MOST_NODES}
        value={nodes}
        onChange={(event) => {
          const typed = Math.round(event.currentTarget.valueAsNumber);
          if (typed >= 1 && typed <= MOST_NODES) setState({ nodes: typed }, { push: true });
          else event.currentTarget.value = String(nodes);
        }}
      />
    </Field>
  );
}

/** Initial channel: the newest stable one with a release of its minor, prereleases excluded; else the next by rank. */
export function defaultChannel({ channels }: ChannelDirectory): string | null {
  const holding = channels.filter(({ versions }) => versions.length > 0);
  const ranked = CHANNEL_ORDER.map((prefix) => holding.filter((channel) => channel.prefix === prefix));
  const released = ranked.map((same) => same.findLast((channel) => ownReleases(channel).length > 0));
  const best = [...released, ...ranked.map((same) => same.at(-1))].find((channel) => channel !== undefined);
  return best?.name ?? null;
}

/** Releases of the channel's minor, without prereleases. */
export function ownReleases({ versions, minor }: ListedChannel): ReleaseVersion[] {
  return versions.filter((version) => minorOf(version) === minor && !isPrerelease(version));
}
