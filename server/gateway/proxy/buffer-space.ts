/**
 * Bytes of answers that one process holds back at a time, over all calls. Past it the call that
 * asks for more goes on live (QV-18).
 */
const HELD_IN_ALL_BYTES_MAX = 256 * 1024 * 1024;

/** Room for held answers: one for a process. */
export class BufferSpace {
  readonly #max: number;
  #taken = 0;

  constructor(max = HELD_IN_ALL_BYTES_MAX) {
    this.#max = max;
  }

  get taken(): number {
    return this.#taken;
  }

  share(): BufferShare {
    let own = 0;
    return {
      take: (bytes) => {
        own += bytes;
        this.#taken += bytes;
        return this.#taken <= this.#max;
      },
      free: () => {
        this.#taken -= own;
        own = 0;
      },
    };
  }
}

/** What one call has of it. */
export interface BufferShare {
  /** Takes them in any case. False: the room is full. */
  take(bytes: number): boolean;
  /** Gives back all that was taken; once or more often. */
  free(): void;
}
