import type { ChannelDirectory } from '@cairn/shared/path/channel-directory';
import { groupBy } from '@cairn/shared/collection/group-by';
import { askFor } from './ask.ts';

export interface ChannelSelectProps {
  readonly channel: string;
  readonly directory: ChannelDirectory | null;
}

/** The channels that hold releases, newest minor first. */
export function ChannelSelect({ channel, directory }: ChannelSelectProps) {
  const holding = (directory?.channels ?? []).filter(({ versions }) => versions.length > 0);
  const byMinor = [...groupBy(holding, ({ minor }) => minor)].toReversed();
  const isListed = channel === '' || holding.some(({ name }) => name === channel);
  return (
    <div class="field">
      <label for="plan-channel">Channel</label>
      <select
        id="plan-channel"
        class="input"
        value={channel}
        onChange={(event) => askFor({ channel: event.currentTarget.value })}
      >
        <option value="">Best for this upgrade</option>
        {!isListed && <option value={channel}>{channel}</option>}
        {byMinor.map(([minor, channels]) => (
          <optgroup key={minor} label={minor}>
            {channels.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}
