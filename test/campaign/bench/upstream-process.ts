import { startDemoUpstream } from '../../../infra/local/demo/server.ts';
import { readOptions, reportFailure, reportReady } from '../../../infra/local/engine-child.ts';
import { recordedUpstream, startCincinnatiStub } from '../../helpers/upstream/cincinnati-stub.ts';
import { RECORDED_UPSTREAM } from '../../helpers/upstream/recorded-data.ts';
import type { ChannelSetName } from './channel-set.ts';

/** An update service with the channels of a set, in a process of its own: its memory is not that of the sync. */
const { channels } = await readOptions<{ channels: ChannelSetName }>();

try {
  const upstream =
    channels === 'demo'
      ? await startDemoUpstream({ host: '127.0.0.1', port: 0 })
      : await startCincinnatiStub(recordedUpstream(RECORDED_UPSTREAM));
  reportReady(upstream.url, () => upstream.close());
} catch (error) {
  reportFailure(error);
}
