/**
 * How far a session is from its next verification, counted by any number of replicas (QV-3, X-10);
 * pure.
 *
 * Each replica of the gateway has one row a session and is the only one that writes it; a later
 * write has a higher version, so that of two copies of a row the one with the higher version is
 * right, and rows may be merged in any order, any number of times. A session is at the sum of
 * the rows of its highest epoch; a verification that completes begins the next epoch. Units are
 * thousandths of a turn.
 *
 * Each row names the requests that it counted last. A request that two replicas counted, because a
 * client sent it again elsewhere, belongs to the earlier epoch, then to the replica whose name
 * comes first; the other gives its units back.
 */
export interface CounterRow {
  readonly replica: string;
  readonly epoch: number;
  readonly version: number;
  readonly units: number;
  /** The last ones, at most `recentMax`, oldest first. */
  readonly recent: readonly CountedRequest[];
}

export interface CountedRequest {
  readonly hash: string;
  readonly epoch: number;
  /** 0 where they were given back. */
  readonly units: number;
}

export type CounterRows = ReadonlyMap<string, CounterRow>;

export const recentMax = 32;

/** Both sets of rows as one. Commutative, associative, idempotent. */
export function mergeRows(one: CounterRows, other: CounterRows): CounterRows {
  const merged = new Map(one);
  for (const row of other.values()) {
    const known = merged.get(row.replica);
    if (known === undefined || isNewer(row, known)) merged.set(row.replica, row);
  }
  return merged;
}

/**
 * Equal versions with other content are a fault of whoever wrote them; still everyone must take the
 * same one.
 */
function isNewer(row: CounterRow, known: CounterRow): boolean {
  if (row.version !== known.version) return row.version > known.version;
  return JSON.stringify(row) > JSON.stringify(known);
}

/** Where the session is. What replicas are still to give back is left out. */
export function standingOf(rows: Iterable<CounterRow>): {
  readonly epoch: number;
  readonly units: number;
} {
  const all = [...rows];
  const epoch = all.reduce((most, row) => Math.max(most, row.epoch), 0);
  const overcounted = all.length > 1 ? countedTwice(all) : [];
  const units = all.reduce((sum, row) => {
    if (row.epoch !== epoch) return sum;
    const back = overcounted.filter(
      ({ replica, request }) => replica === row.replica && request.epoch === epoch,
    );
    return sum + row.units - back.reduce((total, { request }) => total + request.units, 0);
  }, 0);
  return { epoch, units: Math.max(0, units) };
}

export interface CountedTwice {
  readonly replica: string;
  readonly request: CountedRequest;
}

/** What replicas counted that another one had counted, or has the right to. */
export function countedTwice(rows: Iterable<CounterRow>): CountedTwice[] {
  const owners = new Map<string, CountedTwice>();
  const overcounted: CountedTwice[] = [];
  for (const { replica, recent } of rows) {
    for (const request of recent) {
      if (request.units === 0) continue;
      const claim = { replica, request };
      const owner = owners.get(request.hash);
      if (owner === undefined) owners.set(request.hash, claim);
      else if (comesFirst(claim, owner)) {
        owners.set(request.hash, claim);
        overcounted.push(owner);
      } else overcounted.push(claim);
    }
  }
  return overcounted;
}

function comesFirst(one: CountedTwice, other: CountedTwice): boolean {
  if (one.request.epoch !== other.request.epoch) return one.request.epoch < other.request.epoch;
  return one.replica < other.replica;
}

/** The row after one more request; `version` must be higher than any before. */
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

/**
 * The row once what it owes was given back; the requests stay named, so that nothing is given back
 * twice.
 */
export function withoutCountedTwice(
  row: CounterRow,
  version: number,
  overcounted: readonly CountedRequest[],
): CounterRow {
  if (overcounted.length === 0) return row;
  const hashes = new Set(overcounted.map(({ hash }) => hash));
  const back = overcounted.reduce(
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

/** The row at the beginning of a later epoch. */
export function atEpoch(row: CounterRow, version: number, epoch: number): CounterRow {
  return { ...row, version, epoch, units: 0 };
}

/**
 * What this replica counted of a session before it could read what it had stored of it, put on top
 * of that: its epochs come after those stored, and units of its first epoch are added.
 */
export function adoptStored(counted: CounterRow, stored: CounterRows, version: number): CounterRow {
  const before = stored.get(counted.replica);
  const { epoch } = standingOf(stored.values());
  const own = before !== undefined && before.epoch === epoch ? before.units : 0;
  const hashes = new Set(before?.recent.map(({ hash }) => hash));
  const shifted = counted.recent.map((request) => ({ ...request, epoch: request.epoch + epoch }));
  const again = shifted.filter(({ hash }) => hashes.has(hash));
  const added = {
    ...counted,
    version,
    epoch: counted.epoch + epoch,
    units:
      counted.units +
      (counted.epoch === 0 ? own : 0) -
      again.reduce(
        (sum, { epoch: at, units }) => (at === counted.epoch + epoch ? sum + units : sum),
        0,
      ),
    recent: [...(before?.recent ?? []), ...shifted.filter(({ hash }) => !hashes.has(hash))].slice(
      -recentMax,
    ),
  };
  return { ...added, units: Math.max(0, added.units) };
}
