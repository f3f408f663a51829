/**
 * What waits to be sent, oldest first, bounded by its bytes. What is in flight stays until it is
 * answered.
 */

export type Route = 'turns' | 'outcomes';

export interface Item {
  readonly route: Route;
  readonly id: string;
  /** JSON text. */
  readonly text: string;
  /** Of `text` in UTF-8. */
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
  /** Of the first that waits; what is before it is gone. */
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
   * The first items that go out together: of one route, so that a report never overtakes the turn
   * that it is about. At least one.
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

  /** Takes the oldest `count` away. */
  shift(count: number): Item[] {
    const end = Math.min(this.#head + count, this.#items.length);
    const gone = this.#items.slice(this.#head, end).filter((item) => item !== undefined);
    this.#items.fill(undefined, this.#head, end);
    this.#head = end;
    for (const item of gone) this.#bytes -= item.bytes;
    // The places of what is gone are freed now and then, so that one call costs no more than
    // another.
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return gone;
  }
}

/** Bytes of a text in UTF-8; lone surrogates, which JSON text has not, as three. */
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
