import { findDefaultTarget, type TargetQuestion } from '@cairn/shared/path/default-target';
import type { KnownReleases } from '@cairn/shared/path/question';
import { DEFAULT_SUPPORT, supportCalendar } from '@cairn/shared/releases/lifecycle';
import { mustParseVersion } from '@cairn/shared/version/release-version';
import { describe, expect, it } from 'vitest';
import { CALENDAR } from '../../../helpers/path/builders.ts';
import { releases } from '../../../helpers/path/releases.ts';

/** Shaped like the public channels: stable-4.N begins in 4.(N-1), eus-4.N in 4.(N-2). */
function channelsLikeUpstream(): Record<string, string[]> {
  const channels: Record<string, string[]> = {};
  const patches = (minor: number) => [`4.${minor}.1 > 4.${minor}.5`, `4.${minor}.5 > 4.${minor}.9`];
  const into = (minor: number) => [...patches(minor), `4.${minor - 1}.9 > 4.${minor}.5`];
  for (let minor = 12; minor <= 22; minor++) {
    const stable = [...patches(minor - 1), ...into(minor)];
    channels[`stable-4.${minor}`] = stable;
    channels[`fast-4.${minor}`] = stable;
    if (minor % 2 === 0)
      channels[`eus-4.${minor}`] = [...patches(minor - 2), ...into(minor - 1), ...into(minor)];
    channels[`candidate-4.${minor}`] = [...stable, `4.${minor}.9 > 4.${minor}.20`];
  }
  channels['candidate-5.0'] = [...patches(22), '4.22.9 > 5.0.0-ec.2'];
  return channels;
}

const upstream = releases(channelsLikeUpstream());

async function targetOf(
  from: string,
  changes: Partial<TargetQuestion> = {},
  known: KnownReleases = upstream,
) {
  const current = mustParseVersion(from);
  const { minor, isControlPlaneOnly, reason, answer } = await findDefaultTarget(
    {
      current,
      channel: `stable-${current.major}.${current.minor}`,
      channels: [],
      calendar: CALENDAR,
      risk: 'none',
      alternatives: 0,
      ...changes,
    },
    known,
  );
  return { minor, isControlPlaneOnly, reason, to: answer.to, found: answer.found, channels: answer.channels };
}

describe('the default target on 2026-11-17', () => {
  it.each([
    ['4.12.1', '4.16.9', true],
    ['4.13.1', '4.16.9', false],
    ['4.14.1', '4.16.9', true],
    ['4.15.1', '4.16.9', false],
    ['4.16.1', '4.18.9', true],
    ['4.17.1', '4.18.9', false],
    ['4.18.1', '4.20.9', true],
    ['4.19.1', '4.20.9', false],
    ['4.20.1', '4.22.9', true],
    ['4.21.1', '4.22.9', false],
    ['4.22.1', '4.22.9', false],
  ])('of %s is %s', async (from, to, isControlPlaneOnly) => {
    expect(await targetOf(from)).toMatchObject({ to, isControlPlaneOnly, found: true });
  });

  it('case 71: 4.14 in stable-4.14 goes to 4.16 by eus channels, and says why', async () => {
    expect(await targetOf('4.14.5')).toEqual({
      minor: '4.16',
      isControlPlaneOnly: true,
      reason: '4.16 is the next supported EUS minor after 4.14, supported until 2027-06-27 (EUS term 2)',
      to: '4.16.9',
      found: true,
      channels: ['eus-4.16'],
    });
  });

  it('case 72: never a candidate release, and never a pre-release', async () => {
    expect(await targetOf('4.20.5')).toMatchObject({ to: '4.22.9', channels: ['eus-4.22'] });
    expect(await targetOf('4.22.9')).toMatchObject({ minor: '4.22', to: '4.22.9', found: true });
    expect(await targetOf('4.22.9', { channel: 'candidate-5.0' })).toMatchObject({ minor: '4.22' });
  });

  it('case 72: not by a candidate channel either, where no other leads there', async () => {
    const known = releases({
      'stable-4.17': ['4.17.1 > 4.17.5'],
      'stable-4.18': ['4.18.1 > 4.18.3'],
      'candidate-4.18': ['4.17.5 > 4.18.3'],
    });
    expect(await targetOf('4.17.1', {}, known)).toMatchObject({ minor: '4.17', to: '4.17.5', found: true });
  });

  it('stays on the newest patch while no supported minor can be reached, and says so', async () => {
    expect((await targetOf('4.22.1')).reason).toBe(
      'No supported minor after 4.22 has an update path, so the newest patch of 4.22 is the target',
    );
  });
});

describe('the channel of a cluster', () => {
  it.each([
    ['a newer supported minor', '4.17.1', 'stable-4.19', '4.19.9', ['stable-4.19']],
    ['an ended minor', '4.12.1', 'stable-4.13', '4.16.9', ['eus-4.14', 'eus-4.16']],
    ['a candidate channel of a released minor', '4.17.9', 'candidate-4.18', '4.18.9', ['stable-4.18']],
    ['an unknown channel', '4.18.1', 'stable-4.99', '4.20.9', ['eus-4.20']],
    ['no channel', '4.18.1', null, '4.20.9', ['eus-4.20']],
  ])('%s', async (_what, from, channel, to, channels) => {
    const known = releases({
      ...channelsLikeUpstream(),
      'stable-4.19': [
        '4.17.1 > 4.17.9',
        '4.17.9 > 4.18.5',
        '4.18.5 > 4.18.9',
        '4.18.9 > 4.19.5',
        '4.19.5 > 4.19.9',
      ],
    });
    expect(await targetOf(from, { channel }, known)).toMatchObject({ to, channels });
  });

  it('a minor that only its candidate channel has is the target', async () => {
    const known = releases({ 'stable-4.22': ['4.22.1 > 4.22.3'], 'candidate-5.0': ['4.22.3 > 5.0.1'] });
    expect(await targetOf('4.22.3', { channel: 'candidate-5.0' }, known)).toMatchObject({ to: '5.0.1' });
    expect(await targetOf('4.22.3', { channel: 'stable-4.22' }, known)).toMatchObject({ to: '4.22.3' });
  });
});

describe('requested channels', () => {
  it('limit the target to their minors', async () => {
    expect(await targetOf('4.18.1', { channels: ['stable-4.19'] })).toMatchObject({ to: '4.19.9' });
    expect(await targetOf('4.18.1', { channels: ['stable-4.18'] })).toMatchObject({
      minor: '4.18',
      to: '4.18.9',
    });
    expect(await targetOf('4.14.1', { channels: ['stable-4.15'] })).toMatchObject({
      minor: '4.14',
      to: '4.14.9',
    });
  });
});

describe('the release of the target minor', () => {
  const known = (edges: string[]) => releases({ 'stable-4.18': ['4.18.1', '4.17.1', ...edges] });

  it('is the newest that recommended updates lead to', async () => {
    const some = known(['4.17.1 > 4.18.3', '4.18.3 > 4.18.4 A', '4.18.5 > 4.18.6']);
    for (const risk of ['none', 'all'] as const)
      expect(await targetOf('4.17.1', { risk }, some)).toMatchObject({ to: '4.18.3', found: true });
  });

  it('is the newest in stable and eus channels: after maintenance, only the eus channel gets releases', async () => {
    const edges = ['4.15.1 > 4.16.5', '4.14.1 > 4.15.1'];
    const ofEus = releases({ 'stable-4.16': edges, 'eus-4.16': [...edges, '4.15.1 > 4.16.9'] });
    expect(await targetOf('4.15.1', {}, ofEus)).toMatchObject({ to: '4.16.9', channels: ['eus-4.16'] });
    const ofStable = releases({ 'eus-4.16': edges, 'stable-4.16': [...edges, '4.15.1 > 4.16.9'] });
    expect(await targetOf('4.14.1', {}, ofStable)).toMatchObject({
      to: '4.16.9',
      channels: ['stable-4.16'],
      isControlPlaneOnly: true,
    });
    const equal = releases({ 'stable-4.16': edges, 'eus-4.16': edges });
    expect(await targetOf('4.15.1', {}, equal)).toMatchObject({ to: '4.16.5', channels: ['stable-4.16'] });
  });

  it('is not newer in an eus channel that only risks, or only a fast channel, lead to', async () => {
    const edges = ['4.15.1 > 4.16.5'];
    const risky = releases({ 'stable-4.16': edges, 'eus-4.16': [...edges, '4.15.1 > 4.16.9 A'] });
    expect(await targetOf('4.15.1', { risk: 'all' }, risky)).toMatchObject({ to: '4.16.5' });
    const byFast = releases({
      'stable-4.16': edges,
      'fast-4.16': ['4.15.1 > 4.16.8'],
      'eus-4.16': ['4.16.8 > 4.16.9'],
    });
    expect(await targetOf('4.15.1', {}, byFast)).toMatchObject({ to: '4.16.5', channels: ['stable-4.16'] });
  });

  it('with risks only is as the risk policy says', async () => {
    const risky = known(['4.17.1 > 4.18.3 A']);
    expect(await targetOf('4.17.1', {}, risky)).toMatchObject({ minor: '4.18', found: false });
    expect(await targetOf('4.17.1', { risk: 'all' }, risky)).toMatchObject({ to: '4.18.3', found: true });
    expect(await targetOf('4.17.1', { risk: 'accept', acceptedRisks: ['A'] }, risky)).toMatchObject({
      to: '4.18.3',
      found: true,
    });
    expect(await targetOf('4.17.1', { risk: 'accept', acceptedRisks: ['B'] }, risky)).toMatchObject({
      minor: '4.18',
      found: false,
    });
  });

  it('is the newest patch where no update leads to another minor', async () => {
    const apart = releases({ 'stable-4.17': ['4.17.1 > 4.17.2'], 'stable-4.18': ['4.18.1 > 4.18.2'] });
    expect(await targetOf('4.17.1', {}, apart)).toMatchObject({ minor: '4.17', to: '4.17.2', found: true });
  });

  it('explains a version that no channel has', async () => {
    expect(await targetOf('4.18.77')).toMatchObject({ found: false });
  });
});

describe('support terms', () => {
  it('decide which minor is supported', async () => {
    const calendar = supportCalendar({ ...DEFAULT_SUPPORT, eusTerms: 0 }, '2026-11-17');
    expect(await targetOf('4.14.1', { calendar })).toMatchObject({ to: '4.20.9', isControlPlaneOnly: true });
    expect(await targetOf('4.15.1', { calendar })).toMatchObject({ to: '4.19.9' });
  });

  it('over the major: 5.0 follows 4.22 once it is released, without paused workers', async () => {
    const known = releases({ 'stable-4.22': ['4.22.1 > 4.22.3'], 'stable-5.0': ['4.22.3 > 5.0.1'] });
    expect(await targetOf('4.22.3', {}, known)).toMatchObject({ to: '5.0.1', isControlPlaneOnly: false });
  });
});
