import type { SourceObject } from './source-object.ts';

/** What comes next, in the words of a message. */
type ExpectedInObject = 'a key' | 'a key or "}"' | '":"' | 'a value' | '"," or "}"';
type ExpectedInArray = 'an object' | 'an object or "]"' | '"," or "]"';

/** An object of the cluster that is being read, or a list. */
export interface ObjectFrame {
  readonly isArray: false;
  readonly offset: number;
  expected: ExpectedInObject;
  /** Of the member being read. */
  key: string | null;
  kind: string | null;
  apiVersion: string | null;
  isList: boolean;
  items: number;
  /** Its own so far, without those of its items. */
  values: number;
  /** Items that do not say their kind, while the list has not said it either. */
  readonly waiting: SourceObject[];
}

export interface ArrayFrame {
  readonly isArray: true;
  expected: ExpectedInArray;
  items: number;
}

export function objectFrame(offset: number): ObjectFrame {
  return {
    isArray: false,
    offset,
    expected: 'a key or "}"',
    key: null,
    kind: null,
    apiVersion: null,
    isList: false,
    items: 0,
    values: 1,
    waiting: [],
  };
}

/** RFC 6901, to what is being read in the innermost frame. */
export function pointerTo(frames: readonly (ObjectFrame | ArrayFrame)[]): string {
  let pointer = '';
  for (const frame of frames) {
    if (frame.isArray) pointer += `/${frame.items}`;
    else if (frame.key !== null) pointer += `/${frame.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return pointer;
}
