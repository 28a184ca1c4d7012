import { gunzipSync } from 'node:zlib';
import { BUCKET, type Dump } from './engines.ts';

/** By key: the attributes and fields of an item or object, each as `record.spec.grace: string`. */
export type Shapes = ReadonlyMap<string, ReadonlySet<string>>;

/** Structure of a dump without values: releases that store the same have equal shapes. Omits registries. */
export function shapesOf({ items, objects }: Dump): Shapes {
  return new Map([
    ...items.map((item): [string, ReadonlySet<string>] => {
      const { pk, sk, ...attributes } = item as Record<string, { S?: string }>;
      return [withoutRandom(`${pk!.S} ${sk!.S}`), new Set(fieldsOf(attributes, ''))];
    }),
    ...objects
      .filter(({ bucket }) => bucket === BUCKET)
      .map(({ key, type, encoding, body }): [string, ReadonlySet<string>] => {
        const kind = [`type: ${type}`, `encoding: ${encoding}`];
        return [withoutRandom(key), new Set([...kind, ...fieldsOf({ B: body }, 'body')])];
      }),
  ]);
}

export function missingIn(some: Shapes, others: Shapes): readonly string[] {
  return [...some].flatMap(([key, fields]) => {
    const found = others.get(key);
    if (found === undefined) return [key];
    return [...fields].filter((field) => !found.has(field)).map((field) => `${key}: ${field}`);
  });
}

/** Decodes JSON and compression. Other contents count as a whole. */
function fieldsOf(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return [`${path}: list`, ...value.flatMap((one) => fieldsOf(one, `${path}[]`))];
  if (typeof value === 'string' && isJson(value)) return fieldsOf(JSON.parse(value), path);
  if (typeof value !== 'object' || value === null)
    return [`${path}: ${value === null ? null : typeof value}`];
  const packed = (value as { readonly B?: unknown }).B;
  if (typeof packed === 'string') return bytesOf(Buffer.from(packed, 'base64'), path);
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, `${path}.${name}`));
}

function bytesOf(bytes: Buffer, path: string): readonly string[] {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString('latin1');
  if (!isJson(text)) return [`${path}: ${text}`];
  // One value, or one per line.
  const values = text.includes('\n') ? text.trim().split('\n') : [text];
  return values.flatMap((one) => fieldsOf(JSON.parse(one), path));
}

const isJson = (text: string): boolean => /^[[{]/.test(text);

/** Revisions of clusters and in-use reports, and names of uploads, are random. */
function withoutRandom(key: string): string {
  return key
    .replace(/(BODY#\d+-)[0-9a-f]{12}/, '$1RANDOM')
    .replace(/(in-use\/.+Z-)[0-9a-f]{8}/, '$1RANDOM')
    .replace(/(uploads\/).+/, '$1RANDOM');
}
