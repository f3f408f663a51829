/**
 * Items to send, oldest first, with a limit on their bytes. Items in flight stay until they are
 * answered.
 */

export type Route = 'turns' | 'outcomes';

export interface Item {
  readonly route: Route;
  readonly id: string;
  /** JSON text. */
  readonly text: string;
  /** Size of `text` in UTF-8. */
  readonly bytes: number;
  /** Milliseconds of `performance.now()`. */
  readonly takenAt: number;
}

export interface Batch {
  readonly items: readonly Item[];
  readonly bytes: number;
}

export class SendQueue {
  #items: (Item | undefined)[] = [];
  /** Index of the first waiting item; earlier ones have been removed. */
  #head = 0;
  #bytes = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): Item | undefined {
    return this.#items[this.#head];
  }

  push(item: Item): void {
    this.#items.push(item);
    this.#bytes += item.bytes;
  }

  /**
   * The first items to send together, at least one. All are for one route, so that a report never
   * overtakes its turn.
   */
  peek(maxItems: number, maxBytes: number): Batch {
    const first = this.oldest;
    const items: Item[] = [];
    let bytes = 0;
    for (let at = this.#head; at < this.#items.length && items.length < maxItems; at++) {
      const item = this.#items[at];
      if (item === undefined || item.route !== first?.route) break;
      if (items.length > 0 && bytes + item.bytes > maxBytes) break;
      items.push(item);
      bytes += item.bytes;
    }
    return { items, bytes };
  }

  /** Removes the oldest `count` items. */
  shift(count: number): Item[] {
    const end = Math.min(this.#head + count, this.#items.length);
    const removed = this.#items.slice(this.#head, end).filter((item) => item !== undefined);
    this.#items.fill(undefined, this.#head, end);
    this.#head = end;
    for (const item of removed) this.#bytes -= item.bytes;
    // Compacts the array only occasionally, so that each call costs about the same.
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return removed;
  }
}

/** UTF-8 bytes of a text; lone surrogates, which JSON text does not contain, count as three. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // A surrogate pair is two units and four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
