import { type Ctx, classifyStorageError, unavailable } from '../platform';
import type { PreparedTurn } from './prepare';

/**
 * Group commit: all turns that arrive while a commit runs go into the next one; at most two commits are in flight;
 * callers hear after the commit (performance.md 5, item 4). One statement stores the turns, their work rows and the wake-up.
 */
export interface TurnWriter {
  /** @throws AssayError unavailable (nothing stored, or not known: send again) */
  write(rows: readonly NewTurn[]): Promise<WriteResult[]>;
  /** Bytes and turns that wait for a commit. */
  readonly waiting: () => { readonly turns: number; readonly chars: number };
}

export interface NewTurn {
  readonly projectId: string;
  readonly turn: PreparedTurn;
  /** The verdict that this turn is owed, with the verifier that owes it. */
  readonly work: { readonly id: string; readonly verifier: string; readonly owner: string | null };
}

/** `differs`: the id is taken by other content; nothing was changed. `refused`: PostgreSQL does not take this row. */
export type WriteResult =
  | { readonly state: 'inserted' | 'duplicate' | 'differs' }
  | { readonly state: 'refused'; readonly message: string };

interface Waiting {
  readonly row: NewTurn;
  readonly done: (result: WriteResult) => void;
  readonly failed: (error: Error) => void;
}

const batchRows = 2_000;
const batchChars = 8 * 1024 * 1024;
const inFlightMax = 2;
/** Over this the door answers 503 with Retry-After: memory stays bounded (I6). */
const waitingCharsMax = 256 * 1024 * 1024;

export function createTurnWriter(ctx: Ctx): TurnWriter {
  let queue: Waiting[] = [];
  let waitingChars = 0;
  let inFlight = 0;

  function takeBatch(): Waiting[] {
    let chars = 0;
    let size = 0;
    while (size < queue.length && size < batchRows && (size === 0 || chars < batchChars)) {
      chars += queue[size]?.row.turn.payload.length ?? 0;
      size++;
    }
    const batch = queue.slice(0, size);
    queue = queue.slice(size);
    waitingChars -= chars;
    return batch;
  }

  function pump(): void {
    while (inFlight < inFlightMax && queue.length > 0) {
      const batch = takeBatch();
      inFlight++;
      void commitBatch(ctx, batch).finally(() => {
        inFlight--;
        pump();
      });
    }
  }

  return {
    waiting: () => ({ turns: queue.length, chars: waitingChars }),
    write(rows) {
      if (waitingChars > waitingCharsMax) return Promise.reject(unavailable('more arrives than can be stored; send it again later', 2));
      const results = rows.map(
        (row) =>
          new Promise<WriteResult>((done, failed) => {
            waitingChars += row.turn.payload.length;
            queue.push({ row, done, failed });
          }),
      );
      // A turn of the event loop lets requests that arrived together share a commit.
      setImmediate(pump);
      return Promise.all(results);
    },
  };
}

/** Commits a batch; the same id twice in it goes to SQL once. Never throws: each waiter hears its own end. */
async function commitBatch(ctx: Ctx, batch: readonly Waiting[]): Promise<void> {
  const firsts = new Map<string, Waiting>();
  const repeats: { readonly waiting: Waiting; readonly first: Waiting }[] = [];
  for (const waiting of batch) {
    const key = `${waiting.row.projectId}\n${waiting.row.turn.id}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, waiting);
    else repeats.push({ waiting, first });
  }
  const results = new Map<Waiting, WriteResult>();
  try {
    // In one order everywhere: two commits with the same turns wait for each other instead of deadlocking.
    await writeRows(
      ctx,
      [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, waiting]) => waiting),
      results,
    );
  } catch (error) {
    ctx.log.warn({ err: error, turns: batch.length }, 'turns not stored');
    const failure = unavailable('storage is not available now; send it again');
    for (const waiting of batch) waiting.failed(failure);
    return;
  }
  for (const [waiting, result] of results) waiting.done(result);
  for (const { waiting, first } of repeats) {
    const result = results.get(first);
    const same = waiting.row.turn.contentHash === first.row.turn.contentHash;
    // A repeat of content that is not stored yet (`differs`) is no duplicate: its caller must not hear that it is stored.
    if (result?.state === 'refused') waiting.done(result);
    else waiting.done({ state: same && result?.state !== 'differs' ? 'duplicate' : 'differs' });
  }
}

/** Writes rows, halving around one that PostgreSQL refuses, so that its neighbours live. @throws on faults of storage */
async function writeRows(ctx: Ctx, rows: readonly Waiting[], results: Map<Waiting, WriteResult>, tries = 0): Promise<void> {
  if (rows.length === 0) return;
  try {
    const taken = await insertTurns(
      ctx,
      rows.map((waiting) => waiting.row),
    );
    rows.forEach((waiting, index) => {
      const hash = taken.get(index);
      if (hash === undefined) results.set(waiting, { state: 'inserted' });
      else results.set(waiting, { state: hash === waiting.row.turn.contentHash ? 'duplicate' : 'differs' });
    });
  } catch (error) {
    const fault = classifyStorageError(error);
    if (fault === 'retry' && tries < 3) return writeRows(ctx, rows, results, tries + 1);
    if (fault !== 'data') throw error;
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) {
      ctx.log.error({ err: error, project: only.row.projectId }, 'a turn was refused by PostgreSQL');
      results.set(only, { state: 'refused', message: 'this turn cannot be stored' });
      return;
    }
    const middle = rows.length >> 1;
    await writeRows(ctx, rows.slice(0, middle), results);
    await writeRows(ctx, rows.slice(middle), results);
  }
}

/**
 * Inserts turns, their work rows, their original bytes and the workers' wake-up in one statement.
 * Returns, for each row whose id was taken, the content hash found under it.
 */
async function insertTurns(ctx: Ctx, rows: readonly NewTurn[]): Promise<Map<number, string>> {
  const input = JSON.stringify(
    rows.map(({ projectId, turn, work }, index) => ({
      n: index,
      p: projectId,
      i: turn.id,
      s: turn.sessionId,
      t: turn.traceId,
      o: turn.source,
      m: turn.model,
      b: turn.startedAt,
      e: turn.endedAt,
      h: turn.contentHash,
      d: turn.payload,
      f: turn.flags,
      w: work.id,
      v: work.verifier,
      x: work.owner,
      ...(turn.original === null ? {} : { g: turn.original.toString('base64') }),
    })),
  );
  const taken = await ctx.sql<{ n: number; hash: string | null }[]>`
    with input as materialized (
      select * from jsonb_to_recordset(${input}::text::jsonb) as r(
        n int, p text, i text, s text, t text, o text, m text, b timestamptz, e timestamptz, h text, d text, f text[], w text, v text, x text, g text)
    ), stored as (
      insert into turns (project_id, id, session_id, trace_id, source, model, started_at, ended_at, content_hash, payload, flags)
      select p, i, s, t, o, m, b, e, h, d, f from input
      on conflict (project_id, id) do nothing
      returning project_id, id
    ), owed as (
      insert into work (project_id, id, subject_kind, subject_id, revision, verifier, owner, fence, attempts, due_at)
      select p, w, 'turn', i, 1, v, x, case when x is null then 0 else 1 end, case when x is null then 0 else 1 end,
        case when x is null then now() else now() + ${ctx.env.leaseMs} * interval '1 millisecond' end
      from input join stored on project_id = p and id = i
      returning owner
    ), originals as (
      insert into turn_originals (project_id, turn_id, content_hash, body)
      select p, i, h, decode(g, 'base64') from input join stored on project_id = p and id = i where g is not null
    )
    select input.n, (select content_hash from turns t where t.project_id = input.p and t.id = input.i) as hash
    from input left join stored on stored.project_id = input.p and stored.id = input.i
    where stored.id is null
    union all
    select ${wakeUp}, pg_notify('assay_work', '')::text from (select 1 from owed where owner is null limit 1) as any_owed`;
  const found = new Map<number, string>();
  for (const { n, hash } of taken) {
    if (n !== wakeUp) found.set(n, hash ?? (await readHash(ctx, rows[n])));
  }
  return found;
}

/** Row number of the wake-up in the statement's result: no input row has it. */
const wakeUp = -1;

/** The row was inserted by a commit that this statement's snapshot did not see. */
async function readHash(ctx: Ctx, row: NewTurn | undefined): Promise<string> {
  if (row === undefined) throw new Error('a result names no row');
  const [found] = await ctx.sql<{ content_hash: string }[]>`
    select content_hash from turns where project_id = ${row.projectId} and id = ${row.turn.id}`;
  return found?.content_hash ?? '';
}
