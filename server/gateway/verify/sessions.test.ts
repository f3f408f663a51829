import { expect, test } from 'vitest';
import { systemClock } from '../../platform';
import { QualityVerifierSettings } from '../input';
import type { CounterRow } from './counter';
import { type CountedCall, Sessions, sessionsMax } from './sessions';

const make = (capacity?: number): Sessions => new Sessions(systemClock, 'r1', capacity);

interface Given {
  readonly project?: string;
  readonly body?: string;
  readonly session?: string;
  readonly request?: string | null;
  readonly followup?: boolean;
  readonly userMessages?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
}

function call({
  project = 'prj_1',
  body,
  session = 's',
  request = null,
  followup = false,
  userMessages,
  settings = {},
}: Given = {}): CountedCall {
  return {
    projectId: project,
    sessionId: session,
    clientRequestId: request,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    settings: QualityVerifierSettings.parse({ model: 'p:judge', ...settings }),
    toolFollowup: followup,
    ...(userMessages === undefined ? {} : { userMessages }),
  };
}

const name = (session = 's') => ({ projectId: 'prj_1', sessionId: session });
const dues = (sessions: Sessions, calls: readonly CountedCall[]): boolean[] =>
  calls.map((each) => sessions.advance(each).due);

test('QV-3 a turn is 1000 units, in integers, and a session that nobody knows starts at 0', () => {
  const sessions = make();
  expect(sessions.advance(call())).toEqual({ units: 1000, counter: 1000, due: false });
  expect(sessions.advance(call())).toEqual({ units: 1000, counter: 2000, due: false });
  expect(sessions.advance(call({ session: 'other' })).counter).toBe(1000);
});

test('QV-3 10,000 sessions are held; the least recently used one is given up and starts at 0 again', () => {
  const sessions = make();
  for (let n = 0; n < sessionsMax; n++) sessions.advance(call({ session: `s${n}` }));
  expect(sessions.advance(call({ session: 's0' })).counter).toBe(2000);
  sessions.advance(call({ session: 'one more' }));
  expect(sessions.size).toBe(sessionsMax);
  expect(sessions.takeEnded()).toMatchObject([{ sessionId: 's1' }]);
  expect(sessions.advance(call({ session: 's1' })).counter).toBe(1000);
  expect(sessions.advance(call({ session: 's0' })).counter).toBe(3000);
});

test('QV-3 one project’s flood of sessions leaves the counters of others, in memory and in the stores', () => {
  const sessions = make();
  sessions.advance(call());
  sessions.advance(call());
  for (let n = 0; n < 2 * sessionsMax; n++)
    sessions.advance(call({ project: 'prj_2', session: `s${n}` }));
  expect(sessions.advance(call()).counter).toBe(3000);
  expect(sessions.size).toBe(sessionsMax);
  expect(new Set(sessions.takeEnded().map(({ projectId }) => projectId))).toEqual(
    new Set(['prj_2']),
  );
});

test.each([
  [0.2, 200],
  [0, 0],
  [1, 1000],
  [0.3333, 333],
])('QV-5 a tool follow-up of weight %d counts %d units', (weight, units) => {
  const settings = { tool_followup_weight: weight };
  expect(make().advance(call({ followup: true, settings }))).toMatchObject({
    units,
    counter: units,
  });
});

test('QV-5 a tool follow-up is never verified itself, and brings the next turn nearer', () => {
  const sessions = make();
  const settings = { frequency: 2 };
  const followups = Array.from({ length: 15 }, () => call({ followup: true, settings }));
  expect(dues(sessions, followups)).toEqual(followups.map(() => false));
  expect(sessions.advance(call({ settings }))).toEqual({ units: 1000, counter: 4000, due: true });
});

test('QV-6 due every N turns, and still due at the next turn where no verification completed', () => {
  const sessions = make();
  const turns = (count: number) =>
    Array.from({ length: count }, () => {
      const { due } = sessions.advance(call({ settings: { frequency: 3 } }));
      if (due) sessions.endHold(name());
      return due;
    });
  expect(turns(5)).toEqual([false, false, true, true, true]);
  sessions.reset(name());
  expect(turns(6)).toEqual([false, false, true, true, true, true]);
});

test('QV-6 parts of turns are cut off: 2.8 turns are not 3', () => {
  const sessions = make();
  const settings = { frequency: 3, tool_followup_weight: 0.8 };
  sessions.advance(call({ followup: true, settings }));
  sessions.advance(call({ settings }));
  expect(sessions.advance(call({ settings }))).toEqual({ units: 1000, counter: 2800, due: false });
  expect(sessions.advance(call({ settings }))).toEqual({ units: 1000, counter: 3800, due: true });
});

test('QV-7 N = 1 verifies every turn, the first included; the first ones of a session can be exempt', () => {
  const all = make();
  const literal = call({ settings: { frequency: 1 } });
  const exempt = call({ settings: { frequency: 1, min_eligible_turn: 3 } });
  const seen = (sessions: Sessions, each: CountedCall) =>
    Array.from({ length: 5 }, () => {
      const { due } = sessions.advance(each);
      if (due) sessions.reset(name());
      return due;
    });
  expect(seen(all, literal)).toEqual([true, true, true, true, true]);
  expect(seen(make(), exempt)).toEqual([false, false, true, true, true]);
});

test.each([
  [1, 12],
  [3, 4],
  [10, 1],
])('QV-6 QV-7 with N = %d, of 12 calls at once %d are verified', (frequency, count) => {
  const sessions = make();
  const calls = Array.from({ length: 12 }, () => call({ settings: { frequency } }));
  const due = dues(sessions, calls).filter(Boolean);
  expect(due).toHaveLength(count);
  for (const _ of due) {
    sessions.reset(name());
    sessions.endHold(name());
  }
  expect(dues(sessions, calls.slice(0, frequency)).at(-1)).toBe(true);
});

test('QV-7 with N = 1 a call is verified whatever became of those begun before it', () => {
  const sessions = make();
  const one = call({ settings: { frequency: 1 } });
  expect(dues(sessions, [one, one])).toEqual([true, true]);
  sessions.reset(name());
  expect(sessions.advance(one).due).toBe(true);
  sessions.endHold(name());
  expect(sessions.advance(one).due).toBe(true);
});

test('QV-6 a hold that ended without a verification leaves the next turn due; one that nobody ended does after 10 minutes', () => {
  let now = 0;
  const sessions = new Sessions({ now: () => new Date(now), monotonicMs: () => now }, 'r1');
  const third = call({ settings: { frequency: 3 } });
  expect(dues(sessions, [third, third, third, third])).toEqual([false, false, true, false]);
  sessions.endHold(name());
  expect(dues(sessions, [third, third])).toEqual([true, true]);
  expect(sessions.advance(third).due).toBe(false);
  now = 600_000;
  expect(sessions.advance(third).due).toBe(true);
  sessions.endHold({ projectId: 'prj_1', sessionId: 'nobody' });
});

test('QV-8 a stored counter that is no number is missing: the messages of the user are counted instead', () => {
  const sessions = make();
  sessions.restore(name('broken'), null, 'stored');
  expect(sessions.advance(call({ session: 'broken', userMessages: 4 })).counter).toBe(4000);
  expect(sessions.advance(call({ session: 'broken', userMessages: 5 })).counter).toBe(5000);
  sessions.restore(name('unsaid'), null, 'stored');
  expect(sessions.advance(call({ session: 'unsaid' })).counter).toBe(1000);
});

test('QV-9 a completed verification begins the count anew', () => {
  const sessions = make();
  sessions.advance(call());
  sessions.reset(name());
  expect(sessions.advance(call())).toMatchObject({ counter: 1000 });
});

test('QV-38 without a model nothing is counted', () => {
  const sessions = make();
  expect(sessions.advance(call({ settings: { model: null, frequency: 1 } }))).toEqual({
    units: 0,
    counter: 0,
    due: false,
  });
  expect(sessions.size).toBe(0);
});

test('X-10 a request that is sent again counts once, after a verification too', () => {
  const sessions = make();
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 1000, counter: 1000 });
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 1000 });
  expect(sessions.advance(call({ request: 'b' }))).toMatchObject({ units: 1000, counter: 2000 });
  sessions.reset(name());
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 0 });
  expect(sessions.advance(call({ session: 'other', request: 'a' }))).toMatchObject({ units: 1000 });
});

test('X-10 one request id on calls with other bodies, as an ingress puts it there, makes them no repetition', () => {
  const sessions = make();
  const sent = Array.from({ length: 20 }, (_, n) =>
    call({ request: 'ingress', body: `{"messages":[${n}]}`, settings: { frequency: 30 } }),
  );
  for (const each of sent) sessions.advance(each);
  expect(
    sessions.advance(
      call({ request: 'ingress', body: '{"messages":[7]}', settings: { frequency: 30 } }),
    ),
  ).toMatchObject({
    units: 0,
    counter: 20_000,
  });
});

test('X-10 QV-7 a request that is sent again while it is held is verified too, and takes no turn of others', () => {
  const sessions = make();
  const first = call({ request: 'a', body: '{}', settings: { frequency: 1 } });
  expect(dues(sessions, [first, first, first, call({ settings: { frequency: 1 } })])).toEqual([
    true,
    true,
    true,
    true,
  ]);
  for (let n = 0; n < 4; n++) sessions.endHold(name());
  expect(sessions.find(name())?.holds).toEqual([]);
});

test('X-10 a request that another replica counted does not count here', () => {
  const [one, two] = [new Sessions(systemClock, 'r1'), new Sessions(systemClock, 'r2')];
  one.advance(call({ request: 'a' }));
  two.advance(call({ request: 'b' }));
  const rowsOf = (sessions: Sessions): Map<string, CounterRow> => {
    const own = sessions.find(name())?.own;
    return new Map(own === undefined ? [] : [[own.replica, own]]);
  };
  const held = two.find(name());
  if (held === undefined) throw new Error('not held');
  two.takeStored(held, rowsOf(one), false);
  expect(two.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 2000 });
});

test('what was counted before the store could be read is put on top of what it has', () => {
  const stored: CounterRow = { replica: 'r1', epoch: 4, version: 1, units: 2000, recent: [] };
  const other: CounterRow = { replica: 'r2', epoch: 4, version: 1, units: 500, recent: [] };
  const sessions = make();
  sessions.advance(call());
  const held = sessions.find(name());
  if (held === undefined) throw new Error('not held');
  sessions.takeStored(
    held,
    new Map([
      ['r1', stored],
      ['r2', other],
    ]),
    false,
  );
  expect(held.own).toMatchObject({ epoch: 4, units: 3000 });
  expect(sessions.advance(call())).toMatchObject({ counter: 4500 });
  const reset = make();
  reset.advance(call());
  reset.reset(name());
  reset.advance(call());
  const anew = reset.find(name());
  if (anew === undefined) throw new Error('not held');
  reset.takeStored(anew, new Map([['r1', stored]]), false);
  expect(anew.own).toMatchObject({ epoch: 5, units: 1000 });
});

test('a name that PostgreSQL cannot hold is counted all the same, in this process', () => {
  const sessions = make();
  for (const session of ['nul \0', `long ${'x'.repeat(5000)}`, 'half \ud800']) {
    expect(sessions.advance(call({ session }))).toMatchObject({ counter: 1000 });
    expect(sessions.find(name(session))).toMatchObject({ storable: false, read: true });
  }
});
