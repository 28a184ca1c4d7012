import { jsonOf, type Recording } from './recordings.ts';

/** Everything that differs between two runs of the same code, with its replacement. */
const CHANGING: readonly (readonly [pattern: RegExp, stands: string])[] = [
  // Servers listen on free ports.
  [/(127\.0\.0\.1|localhost):\d{4,5}/g, '$1:PORT'],
  // The signature of an upload URL covers the port.
  [/(X-Amz-Signature=)[0-9a-f]{64}/g, '$1SIGNATURE'],
  // Asset names are hashes of the sources.
  [/\b[0-9a-f]{64}\.(zip|json)\b/g, 'ASSET.$1'],
];

/** Headers that the transport sets. The product only requests to close a connection. */
function isOfTransport(name: string, value: string): boolean {
  return name === 'date' || name === 'keep-alive' || (name === 'connection' && value === 'keep-alive');
}

/** Entity tag that is a hash of the body. */
const CONTENT_TAG = /^"[0-9a-f]{32}(-gzip)?"$/;

export function maskChanging({ status, headers, body }: Recording): Recording {
  const replaced = (text: string): string =>
    CHANGING.reduce((rest, [pattern, stands]) => rest.replace(pattern, stands), text);
  const maskedBody = replaced(body);
  // A response without a body can have the tag of one that changes.
  const hasChangingTag = maskedBody !== body || body === '';
  const masked = (text: string): string =>
    hasChangingTag && CONTENT_TAG.test(text) ? '"HASH"' : replaced(text);
  const isCompressed = 'content-encoding' in headers;
  const kept = Object.entries(headers)
    // The compressed size depends on the zlib version.
    .filter(([name, value]) => !isOfTransport(name, value) && !(isCompressed && name === 'content-length'))
    .map(([name, value]) => [name, masked(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { status, headers: Object.fromEntries(kept), body: maskedBody };
}

/** Texts for users. `--mask text` excludes them from the comparison. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(
  'title detail message text reason summary description suggestion remediation nextStep note notes help'.split(
    ' ',
  ),
);
/** Texts for users in templates. */
const TEMPLATE_TEXT_FIELDS: ReadonlySet<string> = new Set([
  'Description',
  'AlarmDescription',
  'DashboardBody',
]);
const MASKED = 'TEXT';

export function maskTexts({ status, headers, body }: Recording): Recording {
  const { 'content-length': _length, etag: _tag, ...kept } = headers;
  const type = headers['content-type'] ?? '';
  if (/^text\/(plain|markdown|html)/.test(type)) return { status, headers: kept, body: MASKED };
  if (type.includes('yaml')) {
    return { status, headers: kept, body: body.replaceAll(/^\s*#.*\n/gm, '') };
  }
  return { status, headers: kept, body: type.includes('json') ? maskJson(body) : body };
}

function maskJson(body: string): string {
  const json = jsonOf(body);
  if (json === undefined) return body;
  return JSON.stringify(json, (name, value: unknown) =>
    TEXT_FIELDS.has(name) || TEMPLATE_TEXT_FIELDS.has(name) ? MASKED : value,
  );
}
