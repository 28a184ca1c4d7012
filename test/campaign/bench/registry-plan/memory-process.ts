import { currentTags } from './listing.ts';
import { planListing } from './plan-listing.ts';

/** Plans once and tells the most memory that took, in megabytes: a process that also holds other rows has more. */
planListing(currentTags());
process.send?.(process.resourceUsage().maxRSS / 1000);
