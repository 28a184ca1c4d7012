import type { DocumentMistake } from '@cairn/shared/cluster/object-reader';

/** A mistake and its place: `document 0 /metadata/name: expected the name of the object`. */
export function mistakeInWords({ document, pointer, detail }: DocumentMistake): string {
  return `document ${document}${pointer === '' ? '' : ` ${pointer}`}: ${detail}`;
}
