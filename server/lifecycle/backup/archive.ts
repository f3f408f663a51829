import { createHash } from 'node:crypto';
import { invalid } from '../../platform';

/**
 * A backup is one gzip file of lines. It begins with a head as JSON. Each table follows with a line
 * `{"table", "columns"}`, its rows in PostgreSQL's text format of COPY (one row per line; newlines
 * and backslashes inside are escaped, and no row equals `\.`), `\.`, and `{"rows", "sha256"}` of
 * them. The last line is `{"end": true, "tables"}`. The counts and checksums detect a truncated or
 * changed file before any of it is committed.
 */
export const backupVersion = 1;

export interface BackupHead {
  readonly assay_backup: number;
  /** The number of applied migrations of the schema. */
  readonly migrations: number;
  /** Time of the backup by the database clock. */
  readonly at: string;
  /**
   * Sealed with the installation's ASSAY_SECRET, the only secret that opens it. Null if the process
   * that made the backup had none.
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
 * Splits a byte stream into lines without their ends. `rows` yields whole chunks instead of single
 * lines, because tables have thousands of rows.
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

  /** The rows until `\.`, in pieces that end with a row; also consumes the `\.`. */
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
