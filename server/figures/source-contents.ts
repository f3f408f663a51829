import type { Source } from '../domain';
import { Grid } from './place/grid';
import { readSource, type SourceContent } from './source-items';

/** Assumed bytes in memory: a character of JSON with its table, and a figure of a plain text. */
const CHARACTER_BYTES = 8;
const ITEM_BYTES = 400;

/** One source that was read: its values, and its rows and columns once a sentence needs them. */
export class ReadSource {
  private made: Grid | null = null;

  constructor(
    readonly format: Source['format'],
    readonly content: SourceContent,
  ) {}

  get grid(): Grid {
    this.made ??= new Grid(this.content);
    return this.made;
  }
}

interface CachedReads {
  /** One text at several places of a turn's sources, or in several formats. */
  readonly reads: ReadSource[];
  bytes: number;
  usedAt: number;
}

/**
 * Sources that were read, by their texts: an agent sends all results of a turn again with each
 * step. Comparing a text with a known one of its length costs less than a hash of it. Not shared
 * between threads; holds at most `bytesMax` bytes, and the least recently used text goes first.
 */
export class SourceContents {
  private readonly cached = new Map<string, CachedReads>();
  private bytes = 0;

  constructor(
    private readonly bytesMax: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param position of the source in its turn */
  read(source: Source, position: number): ReadSource {
    const { text, format } = source;
    const known = this.cached.get(text);
    const found = known?.reads.find(
      (each) => each.content.source === position && each.format === format,
    );
    if (found !== undefined) {
      this.use(text);
      return found;
    }
    const read = new ReadSource(format, readSource(source, position));
    this.store(text, read);
    return read;
  }

  /** Drops the texts that were last used before `since`. */
  sweep(since: number): void {
    for (const [text, { usedAt }] of this.cached) if (usedAt < since) this.drop(text);
  }

  get size(): number {
    return this.cached.size;
  }

  private store(text: string, read: ReadSource): void {
    const bytes = bytesOf(read.content, text);
    if (bytes > this.bytesMax) return;
    const cached = this.cached.get(text) ?? { reads: [], bytes: 0, usedAt: 0 };
    this.cached.set(text, cached);
    cached.reads.push(read);
    cached.bytes += bytes;
    this.bytes += bytes;
    this.use(text);
    for (const oldest of this.cached.keys()) {
      if (this.bytes <= this.bytesMax) break;
      this.drop(oldest);
    }
  }

  /** Moves a text to the end: the least recently used comes first. */
  private use(text: string): void {
    const cached = this.cached.get(text);
    if (cached === undefined) return;
    this.cached.delete(text);
    this.cached.set(text, cached);
    cached.usedAt = this.now();
  }

  private drop(text: string): void {
    this.bytes -= this.cached.get(text)?.bytes ?? 0;
    this.cached.delete(text);
  }
}

function bytesOf(content: SourceContent, text: string): number {
  const items = content.table === null ? content.items.length : 0;
  return text.length * CHARACTER_BYTES + items * ITEM_BYTES;
}
