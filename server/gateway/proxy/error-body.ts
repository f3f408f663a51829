import { namesShape } from '../verify/shape-refusals';
import type { AnswerHead } from './headers';

/** Bytes of an error that are read before it is passed on. */
const READ_MAX = 65_536;

/**
 * An upstream's error, read before it is passed on, since it may be about a schema that the client
 * did not request.
 */
export class ProxyErrorBody {
  readonly head: AnswerHead;
  readonly chunks: Buffer[] = [];
  #bytes = 0;

  constructor(head: AnswerHead) {
    this.head = head;
  }

  /** False if it is too long to read. The chunk is stored in both cases. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= READ_MAX;
  }

  isAboutShape(): boolean {
    return namesShape(Buffer.concat(this.chunks));
  }
}
