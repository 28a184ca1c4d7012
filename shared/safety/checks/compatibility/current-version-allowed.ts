import { EXCLUDING_SETTING } from '../../../releases/values.ts';
import { type Check, finding } from '../../condition.ts';

/** Silent without exclusions: most configurations have none. */
export const currentVersionAllowed: Check = ({ hop, isCurrentExcluded = false }) => {
  if (hop.index > 0 || !isCurrentExcluded) return [];
  const { raw } = hop.from;
  const runs = `The cluster runs ${raw}, which ${EXCLUDING_SETTING} excludes`;
  const message = hop.updateType === 'same' ? runs : `${runs}. This update leaves it, and no path leads back`;
  return [
    {
      ...finding({
        type: 'CurrentVersionAllowed',
        status: 'False',
        reason: 'CurrentVersionExcluded',
        message,
        effect: 'warn',
      }),
      remediation: [`Find out why ${EXCLUDING_SETTING} excludes ${raw}, and whether it affects this update`],
    },
  ];
};
