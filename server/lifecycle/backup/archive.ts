import { createHash } from 'node:crypto';
import { invalid } from '../../platform';

/**
 * A backup is one gzip file of lines. First a head as JSON; then for each table a line `{"table",
 * "columns"}`, its rows in PostgreSQL's text format of COPY (one row per line: newlines and
 * backslashes inside are escaped, so that `\.` is not a row), `\.`, and `{"rows", "sha256"}` of
 * them; last `{"end": true, "tables"}`. A truncated or changed file is detected by its counts and
 * checksums, before any of it is committed.
 */
export const backupVersion = 1;

export interface BackupHead {
  readonly assay_backup: number;
  /** The number of applied migrations of the schema. */
  readonly migrations: number;
  /** Its time, by the database's clock. */
  readonly at: string;
  /**
   * Sealed under the installation's ASSAY_SECRET: only that secret opens it. Null: made by a
   * process without one.
   */
  readonly probe: string | null;
}

export const endOfRows = '\\.';

export interface TableStart {
  readonly table: string;
  readonly columns: readonly string[];
}

export interface TableEnd {
  readonly rows: number;
  readonly sha256: string;
}

/** Counts and hashes rows in a stream of arbitrary chunks. */
export interface RowSum {
  add(bytes: Buffer): void;
  end(): TableEnd;
}

export function createRowSum(): RowSum {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(bytes) {
      hash.update(bytes);
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows++;
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  };
}

/**
 * Lines of a stream of bytes, without their ends; tables have thousands of rows, so `rows` yields
 * whole chunks instead of single lines.
 */
export class LineReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** @throws AssayError invalid_request if there is none */
  async line(): Promise<string> {
    for (;;) {
      const at = this.#rest.indexOf(10);
      if (at >= 0) {
        const line = this.#rest.subarray(0, at).toString('utf8');
        this.#rest = this.#rest.subarray(at + 1);
        return line;
      }
      await this.#more();
    }
  }

  /** The rows until `\.`, in pieces that end with a row; the `\.` is consumed too. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endAt();
      if (end >= 0) {
        if (end > 0) yield this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + endOfRows.length + 1);
        return;
      }
      const last = this.#rest.lastIndexOf(10);
      if (last >= 0) {
        yield this.#rest.subarray(0, last + 1);
        this.#rest = this.#rest.subarray(last + 1);
      }
      await this.#more();
    }
  }

  /** The start of a line that is `\.`, or -1. */
  #endAt(): number {
    const mark = Buffer.from(`${endOfRows}\n`);
    if (this.#rest.subarray(0, mark.length).equals(mark)) return 0;
    const at = this.#rest.indexOf(`\n${endOfRows}\n`);
    return at < 0 ? -1 : at + 1;
  }

  async #more(): Promise<void> {
    if (this.#ended) throw invalid('the backup is incomplete: it has no end');
    const { value, done } = await this.#source.next().catch((error: unknown) => {
      throw invalid(
        `the backup cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    if (done === true) this.#ended = true;
    else this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
  }
}
