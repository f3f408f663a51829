/**
 * Maximum bytes of buffered answers per process. Beyond this limit, answers are passed on
 * unverified (QV-18).
 */
const BUFFERED_BYTES_MAX = 256 * 1024 * 1024;

/** Memory budget for buffered answers, one per process. */
export class BufferBudget {
  readonly #max: number;
  #taken = 0;

  constructor(max = BUFFERED_BYTES_MAX) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  share(): BufferShare {
    let usedBytes = 0;
    return {
      take: (bytes) => {
        usedBytes += bytes;
        this.#taken += bytes;
        return this.#taken <= this.#max;
      },
      free: () => {
        this.#taken -= usedBytes;
        usedBytes = 0;
      },
    };
  }
}

/** One call's share of the budget. */
export interface BufferShare {
  /** Always takes the bytes. False if the budget is exceeded. */
  take(bytes: number): boolean;
  /** Returns all bytes; may be called repeatedly. */
  free(): void;
}
