import { supportInWords } from '../../../releases/lifecycle.ts';
import { minorOf } from '../../../version/minor.ts';
import { asExpected, finding, type Check } from '../../condition.ts';

const TYPE = 'SupportedTarget';
export const STOP_AT_UNSUPPORTED_MINOR = 'StopAtUnsupportedMinor';

/** An end-of-life minor is a stop on the path, not a place to stay. */
export const supportedTarget: Check = ({ hop, hops, calendar }) => {
  const minor = minorOf(hop.to);
  const support = calendar(minor);
  const isLast = hop.index === hops.length - 1;
  const hasEnded = support.phase === 'ended';
  if (!hasEnded) return [asExpected(TYPE, `${minor} is ${supportInWords(support)}`)];
  if (!isLast) {
    const message = `The path stops at ${hop.to.raw}: ${minor} is ${supportInWords(support)}. Continue to a supported minor without delay`;
    return [
      {
        ...finding({
          type: TYPE,
          status: 'True',
          reason: STOP_AT_UNSUPPORTED_MINOR,
          message,
          effect: 'info',
        }),
        origin: 'catalogue',
      },
    ];
  }
  const message = `${minor} is ${supportInWords(support)}: it gets no more fixes`;
  return [
    {
      ...finding({ type: TYPE, status: 'False', reason: 'TargetUnsupported', message, effect: 'warn' }),
      origin: 'catalogue',
      remediation: [`Plan a target in a supported minor, or plan the next update after ${hop.to.raw}`],
    },
  ];
};
