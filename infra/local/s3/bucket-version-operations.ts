import { nameEncoder } from './bucket-operations.ts';
import { S3Error } from './errors.ts';
import { byteName } from './listing.ts';
import { bucketOf, countParameter, type Answer, type Call } from './operation.ts';
import { readText } from './payload.ts';
import { isDeleteMarker } from './bucket-records.ts';
import { readVersionId, versionIdOf } from './version-index.ts';
import { listVersionPage, type ListedVersion } from './version-operations.ts';
import { isVersioningStatus } from './versioning-file.ts';
import { branch, childText, leaf, parseXml, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;
const MAX_CONFIGURATION_BYTES = 64 * 1024;

/** No status means that versioning was never switched on. */
export function getBucketVersioning(call: Call): Answer {
  const { versioning } = bucketOf(call);
  return {
    status: 200,
    body: xmlDocument('VersioningConfiguration', versioning === null ? '' : leaf('Status', versioning)),
  };
}

/** Once switched on, versioning can be suspended but not be taken back, as on S3. */
export async function putBucketVersioning(call: Call): Promise<Answer> {
  const bucket = bucketOf(call);
  const request = parseXml(await readText(call.payload(), MAX_CONFIGURATION_BYTES));
  if (request.name !== 'VersioningConfiguration') {
    throw new S3Error('MalformedXML', `the document is "${request.name}", expected VersioningConfiguration`);
  }
  if (childText(request, 'MfaDelete') === 'Enabled') {
    throw new S3Error('NotImplemented', 'there are no devices for MfaDelete here, leave it out');
  }
  const status = childText(request, 'Status');
  if (!isVersioningStatus(status)) {
    throw new S3Error(
      'IllegalVersioningConfigurationException',
      `Status is ${status === undefined ? 'missing' : `"${status}"`}, expected Enabled or Suspended`,
    );
  }
  bucket.setVersioning(status);
  return { status: 200 };
}

export function listObjectVersions(call: Call): Answer {
  const { query } = call;
  if ((query.get('delimiter') ?? '') !== '') {
    throw new S3Error('NotImplemented', 'versions are listed without a delimiter here');
  }
  const encode = nameEncoder(call);
  const prefix = query.get('prefix') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const versionIdMarker = readVersionId(query.get('version-id-marker'));
  if (versionIdMarker !== undefined && keyMarker === '') {
    throw new S3Error('InvalidArgument', 'version-id-marker was sent without key-marker, expected both');
  }
  const limit = countParameter(call, 'max-keys', MAX_KEYS);
  const { entries, isTruncated } = listVersionPage(bucketOf(call).versions, {
    prefix: byteName(prefix),
    keyMarker: byteName(keyMarker),
    versionIdMarker,
    limit,
  });
  const last = isTruncated ? entries.at(-1)?.version : undefined;
  return {
    status: 200,
    body: xmlDocument(
      'ListVersionsResult',
      leaf('Name', call.bucketName),
      leaf('Prefix', encode(prefix)),
      leaf('KeyMarker', encode(keyMarker)),
      leaf('VersionIdMarker', versionIdMarker ?? ''),
      last === undefined ? '' : leaf('NextKeyMarker', encode(last.key)),
      last === undefined ? '' : leaf('NextVersionIdMarker', versionIdOf(last)),
      leaf('MaxKeys', limit),
      query.get('encoding-type') === 'url' ? leaf('EncodingType', 'url') : '',
      leaf('IsTruncated', isTruncated),
      ...entries.map((entry) => listedVersion(entry, encode)),
    ),
  };
}

function listedVersion({ version, isLatest }: ListedVersion, encode: (name: string) => string): string {
  const common = [
    leaf('Key', encode(version.key)),
    leaf('VersionId', versionIdOf(version)),
    leaf('IsLatest', isLatest),
    leaf('LastModified', new Date(version.modifiedAt).toISOString()),
  ];
  if (isDeleteMarker(version)) return branch('DeleteMarker', ...common);
  return branch(
    'Version',
    ...common,
    leaf('ETag', `"${version.etag}"`),
    leaf('Size', version.size),
    leaf('StorageClass', 'STANDARD'),
  );
}
