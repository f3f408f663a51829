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
const decisions = (sessions: Sessions, calls: readonly CountedCall[]): boolean[] =>
  calls.map((each) => sessions.advance(each).shouldVerify);

test('QV-3 a turn is 1000 integer units, and an unknown session starts at 0', () => {
  const sessions = make();
  expect(sessions.advance(call())).toEqual({ units: 1000, counter: 1000, shouldVerify: false });
  expect(sessions.advance(call())).toEqual({ units: 1000, counter: 2000, shouldVerify: false });
  expect(sessions.advance(call({ session: 'other' })).counter).toBe(1000);
});

test('QV-3 10,000 sessions are kept; the least recently used one is evicted and starts at 0 again', () => {
  const sessions = make();
  for (let n = 0; n < sessionsMax; n++) sessions.advance(call({ session: `s${n}` }));
  expect(sessions.advance(call({ session: 's0' })).counter).toBe(2000);
  sessions.advance(call({ session: 'one more' }));
  expect(sessions.size).toBe(sessionsMax);
  expect(sessions.drainEnded()).toMatchObject([{ sessionId: 's1' }]);
  expect(sessions.advance(call({ session: 's1' })).counter).toBe(1000);
  expect(sessions.advance(call({ session: 's0' })).counter).toBe(3000);
});

test('QV-3 a project with too many sessions does not evict the counters of others, in memory or storage', () => {
  const sessions = make();
  sessions.advance(call());
  sessions.advance(call());
  for (let n = 0; n < 2 * sessionsMax; n++)
    sessions.advance(call({ project: 'prj_2', session: `s${n}` }));
  expect(sessions.advance(call()).counter).toBe(3000);
  expect(sessions.size).toBe(sessionsMax);
  expect(new Set(sessions.drainEnded().map(({ projectId }) => projectId))).toEqual(
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

test('QV-5 a tool follow-up is not verified itself, but counts towards the next verification', () => {
  const sessions = make();
  const settings = { frequency: 2 };
  const followups = Array.from({ length: 15 }, () => call({ followup: true, settings }));
  expect(decisions(sessions, followups)).toEqual(followups.map(() => false));
  expect(sessions.advance(call({ settings }))).toEqual({
    units: 1000,
    counter: 4000,
    shouldVerify: true,
  });
});

test('QV-6 every N turns are verified, and the next turn if no verification completed', () => {
  const sessions = make();
  const turns = (count: number) =>
    Array.from({ length: count }, () => {
      const { shouldVerify } = sessions.advance(call({ settings: { frequency: 3 } }));
      if (shouldVerify) sessions.endVerification(name());
      return shouldVerify;
    });
  expect(turns(5)).toEqual([false, false, true, true, true]);
  sessions.reset(name());
  expect(turns(6)).toEqual([false, false, true, true, true, true]);
});

test('QV-6 fractions of turns are truncated: 2.8 turns are not 3', () => {
  const sessions = make();
  const settings = { frequency: 3, tool_followup_weight: 0.8 };
  sessions.advance(call({ followup: true, settings }));
  sessions.advance(call({ settings }));
  expect(sessions.advance(call({ settings }))).toEqual({
    units: 1000,
    counter: 2800,
    shouldVerify: false,
  });
  expect(sessions.advance(call({ settings }))).toEqual({
    units: 1000,
    counter: 3800,
    shouldVerify: true,
  });
});

test('QV-7 N = 1 verifies every turn including the first; the first turns of a session can be exempt', () => {
  const all = make();
  const literal = call({ settings: { frequency: 1 } });
  const exempt = call({ settings: { frequency: 1, min_eligible_turn: 3 } });
  const seen = (sessions: Sessions, each: CountedCall) =>
    Array.from({ length: 5 }, () => {
      const { shouldVerify } = sessions.advance(each);
      if (shouldVerify) sessions.reset(name());
      return shouldVerify;
    });
  expect(seen(all, literal)).toEqual([true, true, true, true, true]);
  expect(seen(make(), exempt)).toEqual([false, false, true, true, true]);
});

test.each([
  [1, 12],
  [3, 4],
  [10, 1],
])('QV-6 QV-7 with N = %d, %d of 12 concurrent calls are verified', (frequency, count) => {
  const sessions = make();
  const calls = Array.from({ length: 12 }, () => call({ settings: { frequency } }));
  const shouldVerify = decisions(sessions, calls).filter(Boolean);
  expect(shouldVerify).toHaveLength(count);
  for (const _ of shouldVerify) {
    sessions.reset(name());
    sessions.endVerification(name());
  }
  expect(decisions(sessions, calls.slice(0, frequency)).at(-1)).toBe(true);
});

test('QV-7 with N = 1 a call is verified whatever the result of earlier ones', () => {
  const sessions = make();
  const one = call({ settings: { frequency: 1 } });
  expect(decisions(sessions, [one, one])).toEqual([true, true]);
  sessions.reset(name());
  expect(sessions.advance(one).shouldVerify).toBe(true);
  sessions.endVerification(name());
  expect(sessions.advance(one).shouldVerify).toBe(true);
});

test('QV-6 after a verification that ended without a result the next turn is verified; one that never ended expires after 10 minutes', () => {
  let now = 0;
  const sessions = new Sessions({ now: () => new Date(now), monotonicMs: () => now }, 'r1');
  const third = call({ settings: { frequency: 3 } });
  expect(decisions(sessions, [third, third, third, third])).toEqual([false, false, true, false]);
  sessions.endVerification(name());
  expect(decisions(sessions, [third, third])).toEqual([true, true]);
  expect(sessions.advance(third).shouldVerify).toBe(false);
  now = 600_000;
  expect(sessions.advance(third).shouldVerify).toBe(true);
  sessions.endVerification({ projectId: 'prj_1', sessionId: 'unknown' });
});

test('QV-8 an invalid stored counter counts as missing: the user messages are counted instead', () => {
  const sessions = make();
  sessions.restore(name('broken'), null, 'stored');
  expect(sessions.advance(call({ session: 'broken', userMessages: 4 })).counter).toBe(4000);
  expect(sessions.advance(call({ session: 'broken', userMessages: 5 })).counter).toBe(5000);
  sessions.restore(name('unsaid'), null, 'stored');
  expect(sessions.advance(call({ session: 'unsaid' })).counter).toBe(1000);
});

test('QV-9 a completed verification resets the counter', () => {
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
    shouldVerify: false,
  });
  expect(sessions.size).toBe(0);
});

test('X-10 a retried request counts once, also after a verification', () => {
  const sessions = make();
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 1000, counter: 1000 });
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 1000 });
  expect(sessions.advance(call({ request: 'b' }))).toMatchObject({ units: 1000, counter: 2000 });
  sessions.reset(name());
  expect(sessions.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 0 });
  expect(sessions.advance(call({ session: 'other', request: 'a' }))).toMatchObject({ units: 1000 });
});

test('X-10 calls with one request id and different bodies, as set by an ingress, are not retries', () => {
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

test('X-10 QV-7 a request retried during its verification is verified too, and takes no turn from others', () => {
  const sessions = make();
  const first = call({ request: 'a', body: '{}', settings: { frequency: 1 } });
  expect(decisions(sessions, [first, first, first, call({ settings: { frequency: 1 } })])).toEqual([
    true,
    true,
    true,
    true,
  ]);
  for (let n = 0; n < 4; n++) sessions.endVerification(name());
  expect(sessions.find(name())?.running).toEqual([]);
});

test('X-10 a request counted by another replica does not count here', () => {
  const [one, two] = [new Sessions(systemClock, 'r1'), new Sessions(systemClock, 'r2')];
  one.advance(call({ request: 'a' }));
  two.advance(call({ request: 'b' }));
  const rowsOf = (sessions: Sessions): Map<string, CounterRow> => {
    const own = sessions.find(name())?.own;
    return new Map(own === undefined ? [] : [[own.replica, own]]);
  };
  const session = two.find(name());
  if (session === undefined) throw new Error('no session');
  two.takeStored(session, rowsOf(one), false);
  expect(two.advance(call({ request: 'a' }))).toMatchObject({ units: 0, counter: 2000 });
});

test('turns counted before storage could be read are added to the stored ones', () => {
  const stored: CounterRow = { replica: 'r1', epoch: 4, version: 1, units: 2000, recent: [] };
  const other: CounterRow = { replica: 'r2', epoch: 4, version: 1, units: 500, recent: [] };
  const sessions = make();
  sessions.advance(call());
  const session = sessions.find(name());
  if (session === undefined) throw new Error('no session');
  sessions.takeStored(
    session,
    new Map([
      ['r1', stored],
      ['r2', other],
    ]),
    false,
  );
  expect(session.own).toMatchObject({ epoch: 4, units: 3000 });
  expect(sessions.advance(call())).toMatchObject({ counter: 4500 });
  const reset = make();
  reset.advance(call());
  reset.reset(name());
  reset.advance(call());
  const reopened = reset.find(name());
  if (reopened === undefined) throw new Error('no session');
  reset.takeStored(reopened, new Map([['r1', stored]]), false);
  expect(reopened.own).toMatchObject({ epoch: 5, units: 1000 });
});

test('a session name that PostgreSQL cannot store is counted in this process', () => {
  const sessions = make();
  for (const session of ['nul \0', `long ${'x'.repeat(5000)}`, 'half \ud800']) {
    expect(sessions.advance(call({ session }))).toMatchObject({ counter: 1000 });
    expect(sessions.find(name(session))).toMatchObject({ storable: false, read: true });
  }
});
