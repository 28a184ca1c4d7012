import type { ChannelIndex } from '@cairn/shared/graph/channel-index';
import { CHANNEL_ORDER } from '@cairn/shared/releases/values';
import { useEffect, useRef } from 'preact/hooks';
import { useReleases } from '../data/releases.ts';
import { counted } from '../lanes/model.ts';
import { ChannelDetail } from '../releases/channel-detail.tsx';
import {
  ChannelTable,
  listChannels,
  readFilter,
  writeFilter,
  type ChannelFilter,
} from '../releases/channel-table.tsx';
import { setState, type Place } from '../state/navigation.ts';
import type { UrlState } from '../state/url-state.ts';
import { announce } from '../ui/announce.ts';
import { PageLink, ArchSelect, Select } from '../ui/controls.tsx';
import { Loaded } from '../ui/lazy.tsx';

/** `open` selects one channel. */
export function ChannelsView({ place: { state } }: { readonly place: Place }) {
  const releases = useReleases(state.arch);
  const { open } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(open);
  useEffect(() => {
    // The clicked link is removed, and the focus with it.
    if (before.current !== open) heading.current?.focus();
    before.current = open;
  }, [open]);
  return (
    <div class="page stack">
      <div class="row spread">
        <div>
          {open !== '' && (
            <p>
              <PageLink to="channels" patch={{ open: '', sel: '' }}>
                All channels
              </PageLink>
            </p>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {open || 'Channels'}
          </h1>
        </div>
        <ArchSelect arch={state.arch} />
      </div>
      <Loaded resource={releases} what="channels">
        {(known) =>
          open === '' ? (
            <ChannelList index={known.index} state={state} />
          ) : (
            <ChannelDetail key={open} channel={open} releases={known} state={state} />
          )
        }
      </Loaded>
    </div>
  );
}

const EVERY: ChannelFilter = { prefix: '', minor: '' };

function ChannelList({ index, state }: { readonly index: ChannelIndex; readonly state: UrlState }) {
  const filter = readFilter(state.find);
  const rows = listChannels(index, filter);
  const every = listChannels(index, EVERY);
  const change = (patch: Partial<ChannelFilter>): void =>
    setState({ find: writeFilter({ ...filter, ...patch }) }, { push: false });
  const found = counted(rows.length, 'channel');
  useEffect(() => {
    if (state.find !== '') announce(found);
  }, [state.find, found]);
  const held = new Set(every.map(({ prefix }) => prefix));
  return (
    <>
      <div class="row releases-filters">
        <Select
          label="Kind"
          value={filter.prefix}
          onChange={(prefix) => change({ prefix: prefix as ChannelFilter['prefix'] })}
        >
          <option value="">All</option>
          {CHANNEL_ORDER.filter((prefix) => held.has(prefix)).map((prefix) => (
            <option key={prefix}>{prefix}</option>
          ))}
        </Select>
        <Select
          label="Minor"
          value={filter.minor}
          onChange={(minor) => change({ minor: minor as ChannelFilter['minor'] })}
        >
          <option value="">All</option>
          {[...new Set(every.map(({ minor }) => minor))].map((minor) => (
            <option key={minor}>{minor}</option>
          ))}
        </Select>
        <span class="muted releases-found">{found}</span>
      </div>
      {rows.length > 0 ? (
        <ChannelTable rows={rows} arch={state.arch} />
      ) : (
        <p class="card muted">
          {every.length === 0 ? `No channel is followed on ${state.arch}.` : 'No channel matches.'}
        </p>
      )}
    </>
  );
}
