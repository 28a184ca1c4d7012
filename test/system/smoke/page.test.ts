import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutBrowser } from '../../helpers/browser/chromium.ts';
import { fewChannels } from '../../helpers/browser/few-channels.ts';
import { copied, expectHops } from '../../helpers/browser/shown-plan.ts';
import { siteInBrowser } from '../../helpers/browser/site-in-browser.ts';

describe.skipIf(withoutBrowser)('the page', () => {
  const at = siteInBrowser(fewChannels);

  it('solves a path and copies an ImageSetConfiguration', async () => {
    const { page } = await at.open('/?from=4.14.25&to=4.15.20');
    await expectHops(page, '4.15.10', '4.15.20');
    const configuration = parse(await copied(page, 'Copy 02-4.15.20.yaml')) as {
      readonly mirror: { readonly platform: { readonly channels: readonly object[] } };
    };
    expect(configuration).toMatchObject({ kind: 'ImageSetConfiguration' });
    expect(configuration.mirror.platform.channels).not.toEqual([]);
  });
});
