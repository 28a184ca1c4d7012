import { BlockList, isIP } from 'node:net';

const IPV4_RANGES = [
  ['unspecified', ['0.0.0.0/8']],
  ['loopback', ['127.0.0.0/8']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']],
  ['shared', ['100.64.0.0/10']],
  ['link-local', ['169.254.0.0/16']],
  ['multicast', ['224.0.0.0/4']],
  [
    'reserved',
    [
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '240.0.0.0/4',
    ],
  ],
] as const;

// The first match wins: `::` and `::1` are inside the deprecated IPv4-compatible range.
const IPV6_RANGES = [
  ['unspecified', ['::/128']],
  ['loopback', ['::1/128']],
  ['ipv4-in-ipv6', ['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96', '64:ff9b:1::/48']],
  ['unique-local', ['fc00::/7']],
  ['link-local', ['fe80::/10', 'fec0::/10']],
  ['multicast', ['ff00::/8']],
  ['tunnel', ['2001::/32', '2002::/16']],
  ['reserved', ['2001::/23', '2001:db8::/32', '3fff::/20']],
] as const;

export type AddressClass = (typeof IPV4_RANGES | typeof IPV6_RANGES)[number][0] | 'public' | 'invalid';

// RFC 6052: IPv6-only networks reach IPv4 through this prefix, so the embedded address decides.
const NAT64_PREFIX = '64:ff9b::';

const ipv4Classes = IPV4_RANGES.map(([name, ranges]) => [name, rangeList(ranges)] as const);
const ipv6Classes = [
  ...IPV6_RANGES.map(([name, ranges]) => [name, rangeList(ranges)] as const),
  ...IPV4_RANGES.map(([name, ranges]) => [name, rangeList(ranges.map(throughNat64))] as const),
];
const ipv6Public = rangeList(['2000::/3', `${NAT64_PREFIX}/96`]);

/** `10.1.2.3` → `private`, `169.254.169.254` → `link-local`. */
export function classifyAddress(address: string): AddressClass {
  const family = isIP(address);
  if (family === 0) return 'invalid';
  // A zone (`fe80::1%eth0`) is valid on one link only.
  if (address.includes('%')) return 'link-local';
  if (family === 4) return ipv4Classes.find(([, list]) => list.check(address, 'ipv4'))?.[0] ?? 'public';
  const special = ipv6Classes.find(([, list]) => list.check(address, 'ipv6'))?.[0];
  return special ?? (ipv6Public.check(address, 'ipv6') ? 'public' : 'reserved');
}

/** Matches CIDR ranges. Throws on an invalid range, which is a configuration mistake. */
export function rangeList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const { address, prefix } = parseRange(range);
    list.addSubnet(address, prefix, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

export function isInRanges(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function parseRange(range: string): { address: string; prefix: number } {
  const [, address = '', bits = ''] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(range) ?? [];
  const family = isIP(address);
  const prefix = Number(bits);
  if (family === 0 || prefix > (family === 4 ? 32 : 128)) {
    throw new TypeError(`${JSON.stringify(range)} is not an address range, expected one like 10.0.0.0/8`);
  }
  return { address, prefix };
}

function throughNat64(range: string): string {
  const { address, prefix } = parseRange(range);
  return `${NAT64_PREFIX}${address}/${96 + prefix}`;
}

/** Decides by name or address, without a lookup. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Name in a Host header, without port and brackets. */
export function hostName(header = ''): string {
  return header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}
