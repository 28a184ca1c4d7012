import { countInWords } from '../../../text/words.ts';
import { minorOf } from '../../../version/minor.ts';
import { ordinalOf } from '../../../version/release-line.ts';
import { type Finding, asExpected, finding, invalidCurrentVersion, type Check } from '../../condition.ts';
import type { Hop } from '../../hop.ts';

const TYPE = 'HopSizeSupported';

/** A hop enters the next minor at most. It crosses from major 4 to 5 only where the two lines meet. */
export const hopSize: Check = ({ facts, current, hop }) => {
  if (hop.index === 0 && facts.clusterVersion !== null && current === null) {
    const { version } = facts.clusterVersion.desired;
    return [invalidCurrentVersion(TYPE, version, 'the size of the hop is not known')];
  }
  const refused = refusalOf(hop);
  if (refused) return [refused];
  return [asExpected(TYPE, sizeInWords(hop)), ...refusedByCluster(hop)];
};

export function invalidDesiredVersion(target: string): Finding {
  const message = `"${target}" is not a version such as 4.14.3`;
  return {
    ...finding({ type: TYPE, status: 'False', reason: 'InvalidDesiredVersion', message, effect: 'block' }),
    evenForPatches: true,
  };
}

function refusalOf(hop: Hop): Finding | null {
  const { from, to } = hop;
  const minors = ordinalOf(to) - ordinalOf(from);
  const crossing = to.major > from.major;
  const linesMeet = from.major === 4 && to.major === 5;
  if (minors <= 1 && (!crossing || linesMeet)) return null;
  const reason = crossing ? 'MajorVersionUpdate' : 'MultipleMinorVersionsUpdate';
  const why = crossing
    ? `${minorOf(from)} is not the last minor before ${minorOf(to)}`
    : `${countInWords(minors - 1, 'minor')} would be left out`;
  const message = `A cluster takes one minor at a time, and does not go from ${from.raw} to ${to.raw} at once: ${why}`;
  return {
    ...finding({ type: TYPE, status: 'False', reason, message, effect: 'block' }),
    // A hop of this size is never a patch update, and no earlier hop makes it possible.
    evenForPatches: true,
    remediation: [`Take a path with a stop in every minor between ${minorOf(from)} and ${minorOf(to)}`],
  };
}

function sizeInWords({ from, to }: Hop): string {
  const [start, end] = [minorOf(from), minorOf(to)];
  if (start === end) return `Stays in ${end}`;
  const minors = ordinalOf(to) - ordinalOf(from);
  if (minors === 0) return `${start} and ${end} are the same release under two names`;
  return minors > 0 ? `${end} is the next minor after ${start}` : `${end} is a minor before ${start}`;
}

/** Clusters on 4.23 accept only 5.0 as the entry to major 5, although 5.1 is the next minor. */
function refusedByCluster({ from, to }: Hop): readonly Finding[] {
  if (to.major <= from.major || to.minor === 0) return [];
  const message = `The cluster itself may refuse to go from ${minorOf(from)} to ${minorOf(to)}, because it only knows 5.0 as the way into major 5`;
  return [
    {
      ...finding({ type: TYPE, status: 'True', reason: 'PeerWouldRefuse', message, effect: 'warn' }),
      origin: 'catalogue',
      remediation: ['Go to 5.0 first if the cluster refuses'],
    },
  ];
}
