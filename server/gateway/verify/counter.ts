/**
 * Counts the turns of a session since its last verification, across any number of replicas (QV-3,
 * Pure.
 *
 * Each gateway replica has one row per session and is its only writer. A later write has a higher
 * version, so rows may be merged in any order and any number of times. The count of a session is
 * the sum over the rows of its highest epoch; a completed verification starts the next epoch. Units
 * are thousandths of a turn.
 *
 * Each row lists the requests that it counted last. If two replicas counted the same request,
 * because a client retried it on another one, it belongs to the earlier epoch, then to the replica
 * whose name sorts first; the other replica subtracts its units.
 */
export interface CounterRow {
  readonly replica: string;
  readonly epoch: number;
  readonly version: number;
  readonly units: number;
  /** At most `recentMax`, oldest first. */
  readonly recent: readonly CountedRequest[];
}

export interface CountedRequest {
  readonly hash: string;
  readonly epoch: number;
  /** 0 if subtracted as a duplicate. */
  readonly units: number;
}

export type CounterRows = ReadonlyMap<string, CounterRow>;

export const recentMax = 32;

/** Merges two sets of rows. Commutative, associative, idempotent. */
export function mergeRows(one: CounterRows, other: CounterRows): CounterRows {
  const merged = new Map(one);
  for (const row of other.values()) {
    const known = merged.get(row.replica);
    if (known === undefined || isNewer(row, known)) merged.set(row.replica, row);
  }
  return merged;
}

/**
 * Equal versions with different content are a bug in the writer, but every replica must still pick
 * the same row.
 */
function isNewer(row: CounterRow, known: CounterRow): boolean {
  if (row.version !== known.version) return row.version > known.version;
  return JSON.stringify(row) > JSON.stringify(known);
}

/** The session's epoch and units, without duplicates that replicas have yet to subtract. */
export function counterTotal(rows: Iterable<CounterRow>): {
  readonly epoch: number;
  readonly units: number;
} {
  const all = [...rows];
  const epoch = all.reduce((max, row) => Math.max(max, row.epoch), 0);
  const duplicates = all.length > 1 ? findDuplicates(all) : [];
  const units = all.reduce((sum, row) => {
    if (row.epoch !== epoch) return sum;
    const back = duplicates.filter(
      ({ replica, request }) => replica === row.replica && request.epoch === epoch,
    );
    return sum + row.units - back.reduce((total, { request }) => total + request.units, 0);
  }, 0);
  return { epoch, units: Math.max(0, units) };
}

export interface DuplicateCount {
  readonly replica: string;
  readonly request: CountedRequest;
}

/** Requests that a replica counted although they belong to another one. */
export function findDuplicates(rows: Iterable<CounterRow>): DuplicateCount[] {
  const owners = new Map<string, DuplicateCount>();
  const duplicates: DuplicateCount[] = [];
  for (const { replica, recent } of rows) {
    for (const request of recent) {
      if (request.units === 0) continue;
      const claim = { replica, request };
      const owner = owners.get(request.hash);
      if (owner === undefined) owners.set(request.hash, claim);
      else if (comesFirst(claim, owner)) {
        owners.set(request.hash, claim);
        duplicates.push(owner);
      } else duplicates.push(claim);
    }
  }
  return duplicates;
}

function comesFirst(one: DuplicateCount, other: DuplicateCount): boolean {
  if (one.request.epoch !== other.request.epoch) return one.request.epoch < other.request.epoch;
  return one.replica < other.replica;
}

/** The row after one more request. `version` must be higher than any before. */
export function withRequest(
  row: CounterRow,
  version: number,
  units: number,
  hash: string | null,
): CounterRow {
  const recent =
    hash === null
      ? row.recent
      : [...row.recent.slice(1 - recentMax), { hash, epoch: row.epoch, units }];
  return { ...row, version, units: row.units + units, recent };
}

/** The row without duplicates. The requests stay listed, so that they are not subtracted twice. */
export function withoutDuplicates(
  row: CounterRow,
  version: number,
  duplicates: readonly CountedRequest[],
): CounterRow {
  if (duplicates.length === 0) return row;
  const hashes = new Set(duplicates.map(({ hash }) => hash));
  const back = duplicates.reduce(
    (sum, { epoch, units }) => (epoch === row.epoch ? sum + units : sum),
    0,
  );
  return {
    ...row,
    version,
    units: Math.max(0, row.units - back),
    recent: row.recent.map((request) =>
      hashes.has(request.hash) ? { ...request, units: 0 } : request,
    ),
  };
}

/** The row at the start of a later epoch. */
export function atEpoch(row: CounterRow, version: number, epoch: number): CounterRow {
  return { ...row, version, epoch, units: 0 };
}

/**
 * Rebases this replica's counts from before it could read the stored rows: its epochs follow the
 * stored ones, and the units of its first epoch are added.
 */
export function adoptStored(counted: CounterRow, stored: CounterRows, version: number): CounterRow {
  const before = stored.get(counted.replica);
  const { epoch } = counterTotal(stored.values());
  const countedUnits = before !== undefined && before.epoch === epoch ? before.units : 0;
  const hashes = new Set(before?.recent.map(({ hash }) => hash));
  const shifted = counted.recent.map((request) => ({ ...request, epoch: request.epoch + epoch }));
  const duplicates = shifted.filter(({ hash }) => hashes.has(hash));
  const added = {
    ...counted,
    version,
    epoch: counted.epoch + epoch,
    units:
      counted.units +
      (counted.epoch === 0 ? countedUnits : 0) -
      duplicates.reduce(
        (sum, { epoch: at, units }) => (at === counted.epoch + epoch ? sum + units : sum),
        0,
      ),
    recent: [...(before?.recent ?? []), ...shifted.filter(({ hash }) => !hashes.has(hash))].slice(
      -recentMax,
    ),
  };
  return { ...added, units: Math.max(0, added.units) };
}
