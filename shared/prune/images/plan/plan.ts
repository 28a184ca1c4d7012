import { stays } from './selection.ts';
import type { InventoryView } from '../registry/inventory-view.ts';
import { isCurrent, PLACE_REVISION, tagOfPlace } from '../registry/link-columns.ts';
import type { Marks } from './mark.ts';

/**
 * A fingerprint of all condemned links and blobs, sixteen hexadecimal digits: 64 bits in two lanes, each FNV-1a over words
 * instead of bytes, of what the keys are made of in their order, and of how many there are. The same set has the same
 * hash, however it was listed. It guards against mistakes, not against forgery.
 */
export function planHash(view: InventoryView, marks: Marks, condemnedBlobs: Uint32Array): string {
  const lanes = new Lanes();
  let count = condemnedBlobs.length;
  for (const id of condemnedBlobs) addDigest(lanes, view, id);
  for (let rank = 0; rank < view.repositories.length; rank++) {
    let isNamed = false;
    let lastPlace = -1;
    for (let row = view.linkStart[rank]!; row < view.linkEnd[rank]!; row++) {
      if (stays(marks.links[row]!)) continue;
      count++;
      if (!isNamed) lanes.addText(view.repositories[rank]!);
      isNamed = true;
      const place = view.place[row]!;
      if (place !== lastPlace) lanes.addText(placeText(view, place));
      lastPlace = place;
      if (!isCurrent(place)) addDigest(lanes, view, view.digest[row]!);
    }
  }
  lanes.addWord(count);
  return lanes.toString();
}

/** Numbers of tags depend on the order of the listing, their names do not. */
function placeText(view: InventoryView, place: number): string {
  return place <= PLACE_REVISION ? String(place) : `${place % 2}:${view.tagNames[tagOfPlace(place)]!}`;
}

function addDigest(lanes: Lanes, { digests }: InventoryView, id: number): void {
  if (digests.isOther(id)) lanes.addText(digests.text(id));
  else for (let word = 0; word < 8; word++) lanes.addWord(digests.word(id, word));
}

class Lanes {
  #first = 0x811c9dc5;
  #second = 0x1b873593;

  addWord(word: number): void {
    this.#first = Math.imul(this.#first ^ word, 0x01000193);
    // The high bits of a product depend on all of the word; they have to reach the low ones.
    this.#second = Math.imul(this.#second ^ (this.#second >>> 15) ^ word, 0x85ebca6b);
  }

  addText(text: string): void {
    this.addWord(text.length);
    for (let at = 0; at < text.length; at++) this.addWord(text.charCodeAt(at));
  }

  toString(): string {
    return [this.#first, this.#second].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
