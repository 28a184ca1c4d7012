import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Created at run time: the repository holds no key, and no certificate expires. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  issue(request: CertificateRequest): Certificate;
}

export interface CertificateRequest {
  readonly host: string;
  /**
   * Relative to now.
   * @default one day back, one day ahead
   */
  readonly validDays?: readonly [from: number, to: number];
}

const DAY_MS = 24 * 3_600_000;
const OID = {
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  subjectAltName: [0x55, 0x1d, 0x11],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
} as const;
const TAG = {
  integer: 2,
  bits: 3,
  octets: 4,
  oid: 6,
  utf8: 12,
  utcTime: 23,
  sequence: 0x30,
  set: 0x31,
} as const;

export function createAuthority(name: string): Authority {
  const keys = newKeys();
  const ca = makeCertificate({
    subject: name,
    issuer: name,
    keys,
    signer: keys.privateKey,
    isAuthority: true,
  });
  return {
    ...ca,
    issue: (request) => {
      const own = newKeys();
      return makeCertificate({
        ...request,
        subject: request.host,
        issuer: name,
        keys: own,
        signer: keys.privateKey,
      });
    },
  };
}

export function createSelfSigned(request: CertificateRequest): Certificate {
  const keys = newKeys();
  return makeCertificate({
    ...request,
    subject: request.host,
    issuer: request.host,
    keys,
    signer: keys.privateKey,
  });
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface Contents {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: KeyPair;
  readonly signer: KeyObject;
  readonly host?: string;
  readonly isAuthority?: boolean;
  readonly validDays?: readonly [from: number, to: number];
}

function newKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function makeCertificate(contents: Contents): Certificate {
  const [from, to] = contents.validDays ?? [-1, 1];
  const algorithm = der(TAG.sequence, oid('ecdsaWithSha256'));
  const extensions = [
    ...(contents.isAuthority === true
      ? [extension('basicConstraints', der(TAG.sequence, der(1, Buffer.of(0xff))))]
      : []),
    ...(contents.host === undefined
      ? []
      : [extension('subjectAltName', der(TAG.sequence, subject(contents.host)))]),
  ];
  const body = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    distinguishedName(contents.issuer),
    der(TAG.sequence, daysFromNow(from), daysFromNow(to)),
    distinguishedName(contents.subject),
    contents.keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(TAG.sequence, ...extensions)),
  );
  const signature = der(TAG.bits, Buffer.of(0), sign('sha256', body, contents.signer));
  return {
    certificate: pem(der(TAG.sequence, body, algorithm, signature)),
    key: contents.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extension(name: 'basicConstraints' | 'subjectAltName', value: Buffer): Buffer {
  return der(TAG.sequence, oid(name), der(TAG.octets, value));
}

/** A host name or an IPv4 address. */
function subject(host: string): Buffer {
  const isAddress = /^\d+(\.\d+){3}$/.test(host);
  return isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
}

function distinguishedName(name: string): Buffer {
  return der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, oid('commonName'), der(TAG.utf8, Buffer.from(name)))),
  );
}

function daysFromNow(days: number): Buffer {
  const digits = new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(TAG.utcTime, Buffer.from(`${digits}Z`));
}

function oid(name: keyof typeof OID): Buffer {
  return der(TAG.oid, Buffer.from(OID[name]));
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
