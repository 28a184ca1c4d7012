/**
 * Runs in CloudFront before its cache, for requests of the update protocol. It leaves of a request what the answer
 * depends on, so that a whole fleet shares one answer, and answers by itself what could only be refused, or be the empty
 * graph of a name that no configuration can follow. Its checks and words are those of functions/api; tests hold the two
 * together.
 *
 * The language is that of CloudFront Functions (JavaScript runtime 2.0): no modules, nothing of Node.
 */
const JSON_TYPE = 'application/json';
const CINCINNATI_TYPE = 'application/vnd.redhat.cincinnati.v1+json';
// oxlint-disable-next-line no-useless-escape
const CHANNEL = /^[0-9a-z\-\.]+$/;
const ARCH = /^[0-9a-z]+$/;
const TRIM = /^reachable$/;
// Names that a configuration can follow: those that parseChannel of shared/releases/channel.ts knows, and ARCHES.
const FOLLOWABLE = /^(?:CHANNELS)-(?:0|[1-9][0-9]?)\.(?:0|[1-9][0-9]{0,2})$/;
const ARCHES = ['ARCHES'];
const EMPTY_GRAPH = '{"conditionalEdges":[],"edges":[],"nodes":[],"version":1}';
const LONGEST_SHOWN = 100;

// oxlint-disable-next-line no-unused-vars
function handler(event) {
  const request = event.request;
  // What a browser asks before it asks depends on nothing of this.
  if (request.method === 'OPTIONS') {
    request.querystring = '';
    return request;
  }
  const type = mediaType(request.headers.accept);
  if (type === null) return refusal(406, 'invalid_content_type', 'invalid Content-Type requested');
  request.headers.accept = { value: type };

  const channel = lastValue(request, 'channel');
  const givenArch = lastValue(request, 'arch');
  const arch = givenArch === undefined ? 'amd64' : givenArch;
  const trim = lastValue(request, 'trim');
  const version = lastRaw(request, 'version');
  const missing = [];
  if (channel === undefined) missing.push('channel');
  if (trim !== undefined && version === undefined) missing.push('version');
  if (missing.length > 0) {
    return refusal(400, 'missing_params', 'mandatory client parameters missing: ' + missing.join(', '));
  }
  if (!CHANNEL.test(channel)) return mismatch('channel', channel, CHANNEL);
  if (!ARCH.test(arch)) return mismatch('arch', arch, ARCH, archHint(arch));
  if (trim !== undefined && !TRIM.test(trim)) return mismatch('trim', trim, TRIM);
  if (!FOLLOWABLE.test(channel) || ARCHES.indexOf(arch) === -1) return emptyGraph(type, request);

  // Not `id`, and `version` only where the answer depends on it: they are other ones for every cluster.
  let query = 'arch=' + arch + '&channel=' + channel;
  if (trim !== undefined) query += '&trim=' + trim + '&version=' + version;
  request.querystring = query;
  return request;
}

/** As it stands in the URL; of several the last counts, as the protocol has it. */
function lastRaw(request, name) {
  const parameter = request.querystring[name];
  if (parameter === undefined) return undefined;
  const values = parameter.multiValue;
  return values === undefined ? parameter.value : values[values.length - 1].value;
}

function lastValue(request, name) {
  const raw = lastRaw(request, name);
  if (raw === undefined) return undefined;
  try {
    return decodeURIComponent(raw.replace(/\+/g, ' '));
    // oxlint-disable-next-line no-unused-vars
  } catch (error) {
    return raw;
  }
}

/** One of two, or null: other spellings of the same wish would fill the cache with copies of the same answer. */
function mediaType(header) {
  let accept = '';
  if (header !== undefined) {
    const values = header.multiValue === undefined ? [header] : header.multiValue;
    accept = values.map((item) => item.value).join(',');
  }
  if (accept.trim() === '') return CINCINNATI_TYPE;
  const ranges = accept
    .toLowerCase()
    .split(',')
    .map((range) =>
      range
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .filter((range) => range.length > 0);
  if (ranges.length === 0) return JSON_TYPE;
  const json = weight(ranges, JSON_TYPE);
  const cincinnati = weight(ranges, CINCINNATI_TYPE);
  if (json === 0 && cincinnati === 0) return null;
  return cincinnati > json ? CINCINNATI_TYPE : JSON_TYPE;
}

/** From 0 to 1: that of the most specific range that has the type. */
function weight(ranges, type) {
  const names = [type, 'application/*', '*/*', '*'];
  for (let index = 0; index < names.length; index++) {
    const found = ranges.filter((range) => range[0] === names[index]).map(quality);
    if (found.length > 0) return Math.max.apply(null, found);
  }
  return 0;
}

function quality(range) {
  const given = range.slice(1).find((part) => part.indexOf('q=') === 0);
  const text = given === undefined ? '' : given.slice(2);
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 1;
}

function mismatch(name, value, pattern, hint) {
  const shown = value.length <= LONGEST_SHOWN ? value : value.slice(0, LONGEST_SHOWN) + '…';
  const what = name + " '" + shown + "' does not match regex '" + pattern.source + "'" + (hint || '');
  return refusal(400, 'invalid_params', 'invalid client parameters: ' + what);
}

/** Installers say x86_64 where the protocol says amd64. */
function archHint(arch) {
  const name = arch.toLowerCase();
  if (name === 'x86_64') return ', use amd64';
  if (name === 'aarch64') return ', use arm64';
  return ARCHES.indexOf(name) === -1 ? '' : ', use ' + name;
}

/** What the API answers for a channel that nobody follows, to pages of any origin. */
function emptyGraph(type, request) {
  const etag = type === JSON_TYPE ? '"empty-json"' : '"empty-cincinnati"';
  const headers = {
    'cache-control': { value: 'public, max-age=60, stale-while-revalidate=60, stale-if-error=3600' },
    etag: { value: etag },
    vary: { value: 'Accept, Accept-Encoding, Origin' },
    'access-control-allow-origin': { value: '*' },
  };
  if (names(request.headers['if-none-match'], etag)) {
    return { statusCode: 304, statusDescription: 'Not Modified', headers: headers };
  }
  headers['content-type'] = { value: type };
  headers['x-content-type-options'] = { value: 'nosniff' };
  const answer = { statusCode: 200, statusDescription: 'OK', headers: headers };
  if (request.method !== 'HEAD') answer.body = EMPTY_GRAPH;
  return answer;
}

/** Whether If-None-Match names an entity tag, in either encoding; a weak one counts. */
function names(header, etag) {
  if (header === undefined) return false;
  const given = header.multiValue === undefined ? [header] : header.multiValue;
  const text = given.map((item) => item.value).join(',');
  const tags = text.replace(/-gzip"/g, '"').match(/"[^"]*"/g);
  return text.trim() === '*' || (tags !== null && tags.indexOf(etag) !== -1);
}

function refusal(status, kind, value) {
  return {
    statusCode: status,
    statusDescription: status === 406 ? 'Not Acceptable' : 'Bad Request',
    headers: {
      'content-type': { value: JSON_TYPE },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
    },
    body: JSON.stringify({ kind: kind, value: value }),
  };
}
