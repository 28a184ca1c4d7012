import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { type AddressClass, classifyAddress, rangeList } from '../../../../functions/outbound/address.ts';
import {
  checkUpstreamUrl,
  DEFAULT_UPSTREAM,
  type EgressPolicy,
  type Resolve,
  vettedLookup,
} from '../../../../functions/outbound/egress.ts';

const ADDRESSES: readonly (readonly [string, AddressClass])[] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['11.0.0.1', 'public'],
  ['100.63.255.255', 'public'],
  ['100.128.0.0', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.0', 'public'],
  ['192.167.255.255', 'public'],
  ['169.253.255.255', 'public'],
  ['223.255.255.255', 'public'],
  ['2606:4700::1111', 'public'],
  ['2a00:1450:4001::1', 'public'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'shared'],
  ['100.100.100.200', 'shared'],
  ['100.127.255.255', 'shared'],
  ['169.254.169.254', 'link-local'],
  ['169.254.170.2', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['2606:4700::1111%eth0', 'link-local'],
  ['fec0::1', 'link-local'],
  ['fc00::1', 'unique-local'],
  ['fd00:ec2::254', 'unique-local'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'ipv4-in-ipv6'],
  ['::ffff:8.8.8.8', 'ipv4-in-ipv6'],
  ['::ffff:a9fe:a9fe', 'ipv4-in-ipv6'],
  ['::ffff:0:10.0.0.1', 'ipv4-in-ipv6'],
  ['::10.0.0.1', 'ipv4-in-ipv6'],
  ['64:ff9b:1::10.0.0.1', 'ipv4-in-ipv6'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['2001:0:4136:e378::1', 'tunnel'],
  ['2002:7f00:1::', 'tunnel'],
  ['192.0.0.8', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['3fff::1', 'reserved'],
  ['100::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['', 'invalid'],
  ['localhost', 'invalid'],
  ['127.1', 'invalid'],
  ['0x7f000001', 'invalid'],
  ['2130706433', 'invalid'],
  ['127.0.0.1:443', 'invalid'],
  ['[::1]', 'invalid'],
];

test.each(ADDRESSES)('the address %s is %s', (address, expected) => {
  expect(classifyAddress(address)).toBe(expected);
});

test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0/8', 'private', '10.0.0.0/-1', ''])(
  'the range %j is a mistake',
  (range) => {
    expect(() => rangeList([range])).toThrow(/is not an address range, expected one like 10\.0\.0\.0\/8$/);
  },
);

const AWS: EgressPolicy = {
  allowedHosts: ['api.openshift.com', 'osus.corp.example', '10.1.2.3', '127.0.0.1', 'localhost', '[::1]'],
  allowLoopbackHttp: false,
  privateAccess: [{ host: 'osus.corp.example', cidr: '10.20.0.0/16' }],
};
const LOCAL: EgressPolicy = {
  allowedHosts: ['api.openshift.com', '127.0.0.1', 'localhost', '::1', 'a.localhost', '10.1.2.3'],
  allowLoopbackHttp: true,
};

describe('URLs', () => {
  test.each<[string, EgressPolicy]>([
    [DEFAULT_UPSTREAM, AWS],
    ['https://api.openshift.com:443/graph', AWS],
    ['https://API.OpenShift.com/graph', AWS],
    ['https://osus.corp.example:8443/api/graph', AWS],
    ['https://api.openshift.com/graph?tenant=7', LOCAL],
    ['http://127.0.0.1:8080/graph', LOCAL],
    ['https://127.0.0.1:8443/graph', LOCAL],
    ['http://localhost/graph', LOCAL],
    ['http://a.localhost:81/graph', LOCAL],
    ['http://[::1]:8080/graph', LOCAL],
    // The URL standard reads these as 127.0.0.1.
    ['http://2130706433/', LOCAL],
    ['http://0x7f.1/', LOCAL],
  ])('%s is allowed', (url, policy) => {
    expect(checkUpstreamUrl(url, policy)).toMatchObject({ ok: true });
  });

  test.each<[string, EgressPolicy, RegExp]>([
    ['not a url', AWS, /"not a url" is not a URL/],
    ['http://api.openshift.com/graph', AWS, /scheme http: is not allowed/],
    ['http://api.openshift.com/graph', LOCAL, /scheme http: is not allowed/],
    ['file:///etc/passwd', LOCAL, /scheme file: is not allowed/],
    ['ftp://localhost/graph', LOCAL, /scheme ftp: is not allowed/],
    ['data:application/json,{}', LOCAL, /scheme data: is not allowed/],
    ['https://user@api.openshift.com/', AWS, /holds credentials/],
    ['https://:secret@api.openshift.com/', AWS, /holds credentials/],
    ['https://api.openshift.com@evil.example/', AWS, /holds credentials/],
    ['https://evil.example/', AWS, /host evil\.example is not allowed, allowed: api\.openshift\.com/],
    ['https://api.openshift.com.evil.example/', AWS, /is not allowed/],
    ['https://api.openshift.com./graph', AWS, /is not allowed/],
    ['https://xapi.openshift.com/graph', AWS, /is not allowed/],
    ['https://api.openshift.com:8443/graph', AWS, /port 8443 is not allowed, use 443/],
    ['https://api.openshift.com:80/graph', LOCAL, /port 80 is not allowed/],
    ['https://10.1.2.3/graph', AWS, /10\.1\.2\.3 is an address, use a host name/],
    ['https://10.1.2.3/graph', LOCAL, /is an address/],
    ['https://127.0.0.1/graph', AWS, /is an address/],
    ['https://2130706433/graph', AWS, /127\.0\.0\.1 is an address/],
    ['https://[::1]/graph', AWS, /::1 is an address/],
    ['http://localhost/graph', AWS, /scheme http: is not allowed/],
    ['https://localhost:8443/graph', AWS, /port 8443 is not allowed/],
    ['http://osus.corp.example/graph', AWS, /scheme http: is not allowed/],
    ['http://127.0.0.2/graph', LOCAL, /host 127\.0\.0\.2 is not allowed/],
    ['http://[::ffff:127.0.0.1]/graph', LOCAL, /scheme http: is not allowed/],
    ['http://localhost.evil.example/graph', LOCAL, /scheme http: is not allowed/],
  ])('%s is denied', (url, policy, detail) => {
    expect(checkUpstreamUrl(url, policy)).toEqual({ ok: false, detail: expect.stringMatching(detail) });
  });
});

describe('look-ups', () => {
  const answers =
    (...addresses: string[]): Resolve =>
    () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

  function connectTargets(
    policy: EgressPolicy,
    resolve: Resolve,
    hostname: string,
    options: { all?: boolean; family?: 0 | 4 | 6 | 'IPv4' | 'IPv6' } = { all: true },
  ): Promise<string | LookupAddress[]> {
    return new Promise((accept, reject) => {
      vettedLookup(policy, resolve)(hostname, options, (error, found) =>
        error === null ? accept(found) : reject(error),
      );
    });
  }

  test.each<[string, EgressPolicy, string[]]>([
    ['api.openshift.com', AWS, ['8.8.8.8', '2606:4700::1111']],
    ['osus.corp.example', AWS, ['10.20.3.4']],
    ['OSUS.corp.example', AWS, ['10.20.3.4']],
    ['osus.corp.example', AWS, ['8.8.8.8']],
    ['localhost', LOCAL, ['127.0.0.1', '::1']],
    ['a.localhost', LOCAL, ['127.0.0.1']],
  ])('%s may be reached', async (hostname, policy, addresses) => {
    const found = await connectTargets(policy, answers(...addresses), hostname);
    expect((found as LookupAddress[]).map(({ address }) => address)).toEqual(addresses);
  });

  test.each<[string, EgressPolicy, string[], RegExp]>([
    ['api.openshift.com', AWS, ['10.20.3.4'], /10\.20\.3\.4 \(private\), only public addresses are allowed/],
    ['api.openshift.com', AWS, ['8.8.8.8', '169.254.169.254'], /169\.254\.169\.254 \(link-local\)/],
    ['api.openshift.com', AWS, ['127.0.0.1'], /\(loopback\)/],
    ['api.openshift.com', LOCAL, ['127.0.0.1'], /\(loopback\)/],
    ['api.openshift.com', AWS, ['::ffff:8.8.8.8'], /\(ipv4-in-ipv6\)/],
    ['osus.corp.example', AWS, ['10.21.0.1'], /10\.21\.0\.1 \(private\)/],
    ['osus.corp.example', AWS, ['127.0.0.1'], /\(loopback\)/],
    ['localhost', LOCAL, ['10.0.0.1'], /which is not this machine/],
    ['localhost', LOCAL, ['8.8.8.8'], /which is not this machine/],
    ['localhost', AWS, ['127.0.0.1'], /\(loopback\)/],
  ])('%s is refused', async (hostname, policy, addresses, detail) => {
    await expect(connectTargets(policy, answers(...addresses), hostname)).rejects.toThrow(detail);
  });

  test('a pair opens private networks, not the metadata service or this machine', async () => {
    const open: EgressPolicy = {
      ...AWS,
      privateAccess: ['0.0.0.0/0', '::/0'].map((cidr) => ({ host: 'osus.corp.example', cidr })),
    };
    await expect(
      connectTargets(open, answers('10.9.9.9', 'fd00::9'), 'osus.corp.example'),
    ).resolves.toHaveLength(2);
    for (const address of ['169.254.169.254', '127.0.0.1', '::1', 'fe80::1', '0.0.0.0']) {
      await expect(connectTargets(open, answers(address), 'osus.corp.example')).rejects.toThrow(address);
    }
  });

  test('one address is handed on in the form that was asked for', async () => {
    const both = answers('2606:4700::1111', '8.8.8.8');
    await expect(connectTargets(AWS, both, 'api.openshift.com', {})).resolves.toBe('2606:4700::1111');
    await expect(connectTargets(AWS, both, 'api.openshift.com', { family: 4 })).resolves.toBe('8.8.8.8');
    await expect(connectTargets(AWS, both, 'api.openshift.com', { family: 'IPv4' })).resolves.toBe('8.8.8.8');
    await expect(
      connectTargets(AWS, both, 'api.openshift.com', { all: true, family: 'IPv6' }),
    ).resolves.toEqual([{ address: '2606:4700::1111', family: 6 }]);
  });

  test('a name without an address is not found', async () => {
    await expect(connectTargets(AWS, answers(), 'api.openshift.com')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  test('each look-up resolves once and hands on what it judged', async () => {
    let calls = 0;
    const rebinding: Resolve = () => answers(++calls % 2 === 1 ? '8.8.8.8' : '169.254.169.254')('');
    await expect(connectTargets(AWS, rebinding, 'api.openshift.com')).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
    ]);
    expect(calls).toBe(1);
    await expect(connectTargets(AWS, rebinding, 'api.openshift.com')).rejects.toThrow('169.254.169.254');
    expect(calls).toBe(2);
  });

  test('a bad range in the policy fails at once, not at the first look-up', () => {
    const policy = { ...AWS, privateAccess: [{ host: 'osus.corp.example', cidr: '10.0.0.0' }] };
    expect(() => vettedLookup(policy)).toThrow('"10.0.0.0" is not an address range');
  });
});
