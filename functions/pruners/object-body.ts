import { quoteValue, SENT } from '@cairn/shared/text/quote';
import { refuseExcess } from '../http/body.ts';
import { Problem } from '../http/problem.ts';

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];
const JSON_TYPES = ['application/json'];
/** Content types that do not identify the format; curl sends some of them by default. */
const UNSPECIFIC_TYPES = [
  '',
  'application/gzip',
  'application/octet-stream',
  'application/x-gzip',
  'application/x-www-form-urlencoded',
  'text/plain',
];
const ACCEPTED = 'application/json and application/yaml are accepted, compressed application/gzip';

/** Larger than any hand-written object. */
const MOST_BYTES = 64 * 1024;
const MOST_VALUES = 10_000;
/** Limit for YAML with expanded aliases. */
const MOST_AS_JSON = 2 * MOST_BYTES;

/**
 * Reads a Kubernetes object or a part of one. If the content type does not identify the format, a brace means JSON.
 */
export async function readResource(bytes: Uint8Array, contentType = ''): Promise<unknown> {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const isYaml = YAML_TYPES.includes(type);
  if (!isYaml && !JSON_TYPES.includes(type) && !UNSPECIFIC_TYPES.includes(type)) {
    throw new Problem(
      'unsupported-media-type',
      `content type ${quoteValue(contentType, SENT)} was sent, ${ACCEPTED}`,
    );
  }
  if (bytes.length > MOST_BYTES) {
    throw new Problem(
      'body-too-large',
      `the body has ${bytes.length} bytes, at most ${MOST_BYTES} are accepted here`,
    );
  }
  const text = Buffer.from(bytes).toString('utf8');
  if (text.trim() === '') {
    throw new Problem('invalid-body', 'the body is empty; for an object with defaults only send {}');
  }
  const isJson = JSON_TYPES.includes(type) || (!isYaml && /^\s*[[{]/.test(text));
  if (!isJson) {
    // Imported on demand: the parser is as large as everything else that a request loads.
    const { readYaml } = await import('./read-yaml.ts');
    return readYaml(text, MOST_AS_JSON);
  }
  refuseExcess(bytes, MOST_VALUES);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Problem('invalid-body', `the body is not JSON: ${(error as SyntaxError).message}`);
  }
}
