import type { Pool, Service } from '../../pool';
import type { TurnWriter, WriteResult } from './commit';
import type { PreparedTurn } from './prepare';
import type { NewTurn } from './store-turns';

/**
 * Turns of at least this many UTF-16 units are stored by a thread: building the statement takes
 * milliseconds per MiB.
 */
const LARGE_CHARS = 256 * 1024;
/** Multiplies the pool's budget: the time of a statement grows no faster than its bytes. */
const BUDGET_FACTOR = 10;

/**
 * The same turn; a large one has its payload as bytes shared between threads, so that no event loop
 * copies it.
 */
export function packTurn(turn: PreparedTurn): PreparedTurn {
  if (turn.payload.length <= LARGE_CHARS) return turn;
  const bytes = Buffer.from(turn.payload);
  const payloadBytes = new Uint8Array(new SharedArrayBuffer(bytes.length));
  payloadBytes.set(bytes);
  return { ...turn, payload: '', payloadBytes };
}

function unpackRow(row: NewTurn): NewTurn {
  const { payloadBytes, original, ...turn } = row.turn;
  const payload = payloadBytes === undefined ? turn.payload : asBuffer(payloadBytes).toString();
  return {
    ...row,
    turn: { ...turn, payload, original: original === null ? null : asBuffer(original) },
  };
}

/** The same bytes: a buffer reaches a thread as plain bytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The same writer, except that a pool thread stores large turns. Null if there is no pool. */
export function createPooledWriter(writer: TurnWriter, pool: Pool | null): TurnWriter {
  const isLarge = ({ turn }: NewTurn): boolean =>
    turn.payloadBytes !== undefined || turn.payload.length > LARGE_CHARS;

  async function writeLarge(row: NewTurn): Promise<WriteResult | undefined> {
    if (pool === null) return (await writer.write([unpackRow(row)]))[0];
    const work = row.turn.payloadBytes?.length ?? row.turn.payload.length;
    return pool.run({
      service: 'writeTurn',
      input: row,
      projectId: row.projectId,
      work,
      budgetFactor: BUDGET_FACTOR,
    });
  }

  return {
    async write(rows) {
      const small = rows.filter((row) => !isLarge(row));
      const [written, large] = await Promise.all([
        small.length === 0 ? [] : writer.write(small),
        Promise.all(rows.map(async (row) => (isLarge(row) ? writeLarge(row) : null))),
      ]);
      const remaining = [...written];
      return large.map((result) => {
        const own = result ?? remaining.shift();
        if (own === undefined) throw new Error('a turn was written without a result');
        return own;
      });
    },
  };
}

/** The service of a pool thread for `createPooledWriter`. */
export function writerServices({
  writer,
}: {
  readonly writer: TurnWriter;
}): Readonly<Record<string, Service>> {
  return {
    writeTurn: async (row: NewTurn) => ({ result: (await writer.write([unpackRow(row)]))[0] }),
  };
}
