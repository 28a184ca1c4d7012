import {
  buildCatalogue,
  type Catalogue,
  type ReleaseRow,
  listedReleases,
} from '@cairn/shared/releases/catalogue';
import { listVersions } from '@cairn/shared/releases/query';
import { CALENDAR } from '../../../helpers/path/builders.ts';
import { type ChannelSet, followAll } from '../channel-set.ts';
import { cpuCostOf, smallestCosts } from '../interleave.ts';
import { ratio, type Row } from '../row.ts';

const ROUNDS = 100;

/** The answer to `/v2/openshift-versions` from a catalogue of everything, against writing that answer as JSON. */
export function versionList(channels: ChannelSet): Row {
  return {
    name: `version list, ${channels.name}`,
    async run() {
      const releases = listedReleases(catalogueOf(channels), []);
      const list = () => listVersions(releases, { onlyLatest: false });
      const listed = list();
      const costs = await smallestCosts(
        { list: () => cpuCostOf(list), write: () => cpuCostOf(() => JSON.stringify(listed)) },
        ROUNDS,
      );
      const size = `${releases.length} releases, ${Object.keys(listed).length} versions`;
      return [
        ratio(
          `version list from the catalogue (${channels.name}: ${size}) / JSON.stringify of it`,
          costs.list / costs.write,
        ),
      ];
    },
  };
}

function catalogueOf(channels: ChannelSet): Catalogue {
  const rows = new Map<string, ReleaseRow>();
  for (const pair of channels.pairs) {
    const { nodes } = JSON.parse(channels.answer(pair)) as {
      nodes: { version: string; payload: string }[];
    };
    for (const { version, payload } of nodes) {
      const key = `${version}/${pair.arch}`;
      const listedIn = rows.get(key)?.channels ?? [];
      rows.set(key, {
        version,
        arch: pair.arch,
        channels: [...listedIn, pair.channel],
        payload,
        firstSeenAt: '2026-01-01T00:00:00.000Z',
      });
    }
  }
  return buildCatalogue({ config: followAll(channels), rows: [...rows.values()], calendar: CALENDAR });
}
