import { BLOBS, currentTags, MANIFESTS } from '../../bench/registry-plan/listing.ts';
import { planListing } from '../../bench/registry-plan/plan-listing.ts';
import { mostMemory, timeOf } from '../measure.ts';
import { atMost, type LoadRow, finding } from '../row.ts';

/** Listing, reading and planning a large registry. `npm run bench` has it against listing and reading alone. */
export const blobPlan: LoadRow = {
  async run() {
    const tags = currentTags();
    const time = timeOf(() => planListing(tags));
    return [
      finding(`planning ${BLOBS} blobs that manifests name ${BLOBS - MANIFESTS} times`, time / 1000, 's', {
        goal: atMost(90),
      }),
      finding('all memory of the process that does so', mostMemory(), 'MB', { goal: atMost(1000) }),
    ];
  },
};
