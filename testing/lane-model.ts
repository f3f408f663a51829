/**
 * The work lane as an explicit-state model: claims, leases, fences and quarantine, explored over
 * every order of steps, crashes, late wake-ups and lost answers. Each step names the function that
 * does it; a step is atomic where that function is one statement.
 */

export interface ModelRow {
  readonly state: 'waiting' | 'done' | 'quarantined';
  /** The process that claimed it; `gone` if that process has died since. */
  readonly owner: number | 'gone' | null;
  readonly fence: number;
  readonly deaths: number;
  readonly isExpired: boolean;
  readonly verdicts: number;
  /** The claim that counts: each has another number, regardless of its fence. */
  readonly claim: number;
  /** Statements of earlier claims that took effect. */
  readonly stale: number;
}

/** One of the loops of a process: its claims and their fences. */
export interface ModelLoop {
  readonly phase: 'idle' | 'running' | 'computed' | 'returning';
  readonly claimed: readonly LoopRow[];
}

interface LoopRow {
  readonly row: number;
  readonly fence: number;
  readonly claim: number;
  /** The database has lost this claim. */
  readonly isUndone: boolean;
}

/** How often each fault may still happen. */
export interface Faults {
  /** A process is killed from outside. */
  readonly crashes: number;
  /** A lease expires although its loop runs, because the process was paused. */
  readonly pauses: number;
  /** A statement fails, or its answer is lost although it was committed. */
  readonly storage: number;
  /** The database loses a claim, which is committed without waiting for the disk. */
  readonly lostClaims: number;
}

export interface ModelState {
  readonly rows: readonly ModelRow[];
  readonly loops: readonly ModelLoop[];
  readonly faults: Faults;
}

export interface Lane {
  /** The process of each loop. */
  readonly processes: readonly number[];
  /** Rows that end the process that verifies them. */
  readonly killers: ReadonlySet<number>;
  /** As `maxDeaths` of server/queue/claim.ts. */
  readonly maxDeaths: number;
  /** Omitted mechanisms, to check that the model notices. */
  readonly without?: 'fence' | 'owner' | 'running alone' | 'quarantine';
}

/** A step's call of the database; null if it makes none. */
export type Call =
  | { readonly kind: 'claim'; readonly loop: number; readonly rows: readonly number[] }
  | { readonly kind: 'take over'; readonly loop: number; readonly rows: readonly number[] }
  | { readonly kind: 'return' | 'settle'; readonly loop: number }
  | { readonly kind: 'end lease'; readonly row: number }
  | { readonly kind: 'lose claim'; readonly row: number }
  | { readonly kind: 'crash'; readonly process: number };

export interface Step {
  readonly name: string;
  readonly to: ModelState;
  readonly call: Call | null;
}

const idle: ModelLoop = { phase: 'idle', claimed: [] };

export function firstState(rows: number, lane: Lane, faults: Faults): ModelState {
  const row: ModelRow = {
    state: 'waiting',
    owner: null,
    fence: 0,
    deaths: 0,
    isExpired: false,
    verdicts: 0,
    claim: 0,
    stale: 0,
  };
  return {
    rows: Array.from({ length: rows }, () => row),
    loops: lane.processes.map(() => idle),
    faults,
  };
}

/** All steps that can follow. */
export function stepsOf(state: ModelState, lane: Lane): readonly Step[] {
  return [
    ...state.rows.flatMap((_, row) => expiries(state, row)),
    ...state.rows.flatMap((_, row) => claimLosses(state, row)),
    ...state.loops.flatMap((_, loop) => loopSteps(state, lane, loop)),
    ...crashSteps(state, lane),
  ];
}

function loopSteps(state: ModelState, lane: Lane, at: number): readonly Step[] {
  const { phase } = loopAt(state, at);
  if (phase === 'idle') return [...claims(state, lane, at), ...lostClaims(state, lane, at)];
  if (phase === 'running') return verification(state, lane, at);
  if (phase === 'computed') return settlements(state, lane, at);
  return [
    {
      name: `loop ${at} returns its work`,
      to: returned(state, lane, at),
      call: { kind: 'return', loop: at },
    },
  ];
}

/** `claimWork`: any set of ready rows, in one statement. */
function claims(state: ModelState, lane: Lane, at: number): readonly Step[] {
  const ready = state.rows.flatMap(({ state: is, owner }, row) =>
    is === 'waiting' && owner === null ? [row] : [],
  );
  return subsetsOf(ready).map((rows) => ({
    name: `loop ${at} claims ${rows.join(' and ')}`,
    to: taken(state, lane, { at, rows, deaths: 0 }),
    call: { kind: 'claim', loop: at, rows },
  }));
}

/** `claimLostWork`: one row whose lease has expired, alone in its process; or its quarantine. */
function lostClaims(state: ModelState, lane: Lane, at: number): readonly Step[] {
  const isAlone = state.loops.every(
    ({ phase }, other) => lane.processes[other] !== lane.processes[at] || phase === 'idle',
  );
  if (!isAlone && lane.without !== 'running alone') return [];
  const lost = state.rows.flatMap(({ state: is, owner, isExpired }, row) =>
    is === 'waiting' && owner !== null && isExpired ? [row] : [],
  );
  const sets = lane.without === 'running alone' ? subsetsOf(lost) : lost.map((row) => [row]);
  return sets.map((rows) => {
    const [row = 0] = rows;
    const deaths = rowAt(state, row).deaths + 1;
    const call: Call = { kind: 'take over', loop: at, rows };
    const isLast = deaths >= lane.maxDeaths && lane.without !== 'quarantine';
    return isLast && rows.length === 1
      ? {
          name: `row ${row} is quarantined`,
          to: withRow(state, row, {
            state: 'quarantined',
            owner: null,
            deaths,
            fence: rowAt(state, row).fence + 1,
          }),
          call,
        }
      : {
          name: `loop ${at} takes over ${rows.join(' and ')}`,
          to: taken(state, lane, { at, rows, deaths: 1 }),
          call,
        };
  });
}

function taken(
  state: ModelState,
  lane: Lane,
  { at, rows, deaths }: { at: number; rows: readonly number[]; deaths: number },
): ModelState {
  let next = state;
  for (const row of rows) {
    const before = rowAt(next, row);
    next = withRow(next, row, {
      owner: lane.processes[at] ?? 0,
      fence: before.fence + 1,
      deaths: before.deaths + deaths,
      isExpired: false,
      claim: before.claim + 1,
    });
  }
  const claimed = rows.map((row) => {
    const { fence, claim } = rowAt(next, row);
    return { row, fence, claim, isUndone: false };
  });
  return withLoop(next, at, { phase: 'running', claimed });
}

/** A batch is verified; one with a killer ends its process. */
function verification(state: ModelState, lane: Lane, at: number): readonly Step[] {
  const { claimed } = loopAt(state, at);
  if (claimed.some(({ row }) => lane.killers.has(row)))
    return [
      {
        name: `loop ${at} dies of its work`,
        to: crashed(state, lane, at),
        call: { kind: 'crash', process: lane.processes[at] ?? 0 },
      },
    ];
  const fails =
    state.faults.storage > 0
      ? [
          {
            name: `loop ${at} cannot read`,
            to: withFault(withLoop(state, at, { phase: 'returning', claimed }), 'storage'),
            call: null,
          },
        ]
      : [];
  const done = withLoop(state, at, { phase: 'computed', claimed });
  return [{ name: `loop ${at} has its verdicts`, to: done, call: null }, ...fails];
}

/** `storeVerdicts`: one statement; it may fail, or be committed without an answer. */
function settlements(state: ModelState, lane: Lane, at: number): readonly Step[] {
  const { claimed } = loopAt(state, at);
  let stored = state;
  for (const each of claimed)
    if (isCurrent(state, lane, at, each))
      stored = withRow(stored, each.row, {
        state: 'done',
        owner: null,
        verdicts: rowAt(stored, each.row).verdicts + 1,
        stale: staleAfter(state, lane, at, each),
      });
  const call: Call = { kind: 'settle', loop: at };
  const steps = [{ name: `loop ${at} stores its verdicts`, to: withLoop(stored, at, idle), call }];
  if (state.faults.storage === 0) return steps;
  const returning: ModelLoop = { phase: 'returning', claimed };
  return [
    ...steps,
    {
      name: `loop ${at} cannot store`,
      to: withFault(withLoop(state, at, returning), 'storage'),
      call: null,
    },
    {
      name: `loop ${at} stores, and its answer is lost`,
      to: withFault(withLoop(stored, at, returning), 'storage'),
      call,
    },
  ];
}

/** `returnWork`: ready at once for any worker, if it is still this claim. */
function returned(state: ModelState, lane: Lane, at: number): ModelState {
  let next = state;
  for (const each of loopAt(state, at).claimed)
    if (isCurrent(state, lane, at, each))
      next = withRow(next, each.row, { owner: null, stale: staleAfter(state, lane, at, each) });
  return withLoop(next, at, idle);
}

/** The condition of every statement on claimed work: owner, fence and state. */
function isCurrent(state: ModelState, lane: Lane, at: number, { row, fence }: LoopRow): boolean {
  const now = rowAt(state, row);
  return (
    now.state === 'waiting' &&
    (now.fence === fence || lane.without === 'fence') &&
    (now.owner === lane.processes[at] || lane.without === 'owner')
  );
}

/**
 * Counts a statement of a claim that no longer counts. A claim that the database has lost may be
 * given to another loop of the same process under the same fence. Either loop may then store the
 * one verdict.
 */
function staleAfter(state: ModelState, lane: Lane, at: number, row: LoopRow): number {
  const { claim, stale, owner } = rowAt(state, row.row);
  const isHarmless = row.isUndone && owner === lane.processes[at];
  return row.claim === claim || isHarmless ? stale : stale + 1;
}

/** The lease of a dead process expires; that of a live process only if it was paused. */
function expiries(state: ModelState, row: number): readonly Step[] {
  const { state: is, owner, isExpired } = rowAt(state, row);
  if (is !== 'waiting' || owner === null || isExpired) return [];
  const expired = withRow(state, row, { isExpired: true });
  const call: Call = { kind: 'end lease', row };
  if (owner === 'gone') return [{ name: `the lease of ${row} ends`, to: expired, call }];
  return state.faults.pauses === 0
    ? []
    : [{ name: `the lease of ${row} ends during a pause`, to: withFault(expired, 'pauses'), call }];
}

/** A crash of the database undoes a claim, which its loop still considers valid. */
function claimLosses(state: ModelState, row: number): readonly Step[] {
  const { state: is, owner, fence, deaths, claim } = rowAt(state, row);
  if (state.faults.lostClaims === 0 || is !== 'waiting' || owner === null || deaths > 0) return [];
  const forgotten = withRow(state, row, { owner: null, fence: fence - 1, isExpired: false });
  const undone = {
    ...forgotten,
    loops: forgotten.loops.map((loop) => ({
      ...loop,
      claimed: loop.claimed.map((claimedRow) =>
        claimedRow.row === row && claimedRow.claim === claim
          ? { ...claimedRow, isUndone: true }
          : claimedRow,
      ),
    })),
  };
  return [
    {
      name: `the claim of ${row} is lost`,
      to: withFault(undone, 'lostClaims'),
      call: { kind: 'lose claim', row },
    },
  ];
}

function crashSteps(state: ModelState, lane: Lane): readonly Step[] {
  if (state.faults.crashes === 0) return [];
  return [...new Set(lane.processes)]
    .filter((process) =>
      state.loops.some(({ phase }, at) => lane.processes[at] === process && phase !== 'idle'),
    )
    .map((process) => ({
      name: `process ${process} is killed`,
      to: withFault(crashed(state, lane, lane.processes.indexOf(process)), 'crashes'),
      call: { kind: 'crash', process },
    }));
}

/** All loops of the process end, and it restarts under another owner's name. */
function crashed(state: ModelState, lane: Lane, at: number): ModelState {
  const process = lane.processes[at];
  return {
    ...state,
    rows: state.rows.map((row) => (row.owner === process ? { ...row, owner: 'gone' } : row)),
    loops: state.loops.map((loop, other) => (lane.processes[other] === process ? idle : loop)),
  };
}

function subsetsOf(items: readonly number[]): readonly (readonly number[])[] {
  return items
    .reduce<number[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]])
    .filter((set) => set.length > 0);
}

const rowAt = ({ rows }: ModelState, at: number): ModelRow => {
  const row = rows[at];
  if (row === undefined) throw new RangeError(`no row ${at}`);
  return row;
};

const loopAt = ({ loops }: ModelState, at: number): ModelLoop => loops[at] ?? idle;

const withRow = (state: ModelState, at: number, change: Partial<ModelRow>): ModelState => ({
  ...state,
  rows: state.rows.map((row, index) => (index === at ? { ...row, ...change } : row)),
});

const withLoop = (state: ModelState, at: number, loop: ModelLoop): ModelState => ({
  ...state,
  loops: state.loops.map((each, index) => (index === at ? loop : each)),
});

const withFault = (state: ModelState, fault: keyof Faults): ModelState => ({
  ...state,
  faults: { ...state.faults, [fault]: state.faults[fault] - 1 },
});
