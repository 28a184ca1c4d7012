import { useMemo } from 'preact/hooks';
import { useGraph, useReleases, type PageReleases } from '../data/releases.ts';
import { counted } from '../lanes/model.ts';
import { defaultChannel } from '../plan/form.tsx';
import { setState } from '../state/navigation.ts';
import type { RiskChoice, UrlState } from '../state/url-state.ts';
import { ArchSelect, Select } from '../ui/controls.tsx';
import { SearchField } from '../ui/fields.tsx';
import { Loaded } from '../ui/lazy.tsx';
import { listChannels } from './channel-table.tsx';
import { AcceptedBar, RiskCard } from './risk-card.tsx';
import { risksOf } from './risk-ranges.ts';

/** Risks of a channel, to accept for a plan. */
export function ChannelRisks({ state }: { readonly state: UrlState }) {
  const releases = useReleases(state.arch);
  return (
    <Loaded resource={releases} what="channels">
      {(known) => <RisksOfChannel releases={known} state={state} />}
    </Loaded>
  );
}

interface RisksProps {
  readonly releases: PageReleases;
  readonly state: UrlState;
}

function RisksOfChannel({ releases, state }: RisksProps) {
  // Choosing another channel here does not change the channel of the plan.
  const channel = state.open || state.channel || defaultChannel(releases.directory);
  const held = listChannels(releases.index, { prefix: '', minor: '' }).filter(
    ({ indexed }) => indexed.nodes > 0,
  );
  const names = held.map(({ indexed }) => indexed.channel);
  if (channel === null) return <p class="card muted">No channel on {state.arch} holds releases yet.</p>;
  const isHeld = names.includes(channel);
  return (
    <>
      <div class="row releases-filters">
        <Select label="Channel" value={channel} onChange={(open) => setState({ open }, { push: true })}>
          {[...(isHeld ? [] : [channel]), ...names].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <ArchSelect arch={state.arch} />
      </div>
      {isHeld ? (
        <RiskList releases={releases} state={state} channel={channel} />
      ) : (
        <p class="note cond">
          {channel} holds no releases on {state.arch}. Choose another channel.
        </p>
      )}
    </>
  );
}

function RiskList({ releases, state, channel }: RisksProps & { readonly channel: string }) {
  const resource = useGraph(releases, channel);
  const risks = useMemo(() => (resource.value === null ? [] : risksOf(resource.value)), [resource.value]);
  const { find, risks: choice } = state;
  const accepted = typeof choice === 'string' ? [] : choice;
  const choose = (risks: RiskChoice): void => setState({ risks }, { push: false });
  const accept = (name: string, isAccepted: boolean): void => {
    const others = accepted.filter((other) => other !== name);
    const names = isAccepted ? [...others, name] : others;
    choose(names.length > 0 ? names : 'avoid');
  };
  const wanted = find.trim().toLowerCase();
  const found = risks.filter(({ name, variants }) =>
    [name, ...variants.map(({ message }) => message)].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <Loaded resource={resource} what={`risks of ${channel}`}>
      {() => (
        <>
          <AcceptedBar
            choice={choice}
            known={risks.map(({ name }) => name)}
            channel={channel}
            onChoose={choose}
          />
          {risks.length === 0 ? (
            <p class="card muted">{channel} has no risks: every update is recommended.</p>
          ) : (
            <>
              <div class="row spread">
                <h2>
                  {counted(found.length, 'risk')} of {channel}
                </h2>
                <SearchField
                  label="Search for a risk"
                  find={find}
                  placeholder="Name or text"
                  found={counted(found.length, 'risk')}
                />
              </div>
              {found.length === 0 && <p class="card muted">No risk matches {find.trim()}.</p>}
              <ul class="stack">
                {found.map((risk) => (
                  <RiskCard
                    key={risk.name}
                    risk={risk}
                    isAccepted={choice === 'allow' ? null : accepted.includes(risk.name)}
                    onAccept={(isAccepted) => accept(risk.name, isAccepted)}
                  />
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}
