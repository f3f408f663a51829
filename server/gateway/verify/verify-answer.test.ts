import { describe, expect, test } from 'vitest';
import { type SteeringRecord, efficacyOf } from '../../domain';
import { unbound } from '../../thresholds';
import { createDeferredNotes } from './deferred-notes';
import type { CallUpstream } from '../exchange';
import { unapplied } from './regenerate';
import {
  chatAnswer,
  stillConnected,
  passed,
  requestBody,
  testDeps,
  testRequest,
  testRoute,
} from './verify-fixture';
import { createPrepareCall, type UnsentCall } from './prepare-call';
import { createShapeRefusals } from './shape-refusals';
import { createFinishAnswer } from './finish-answer';

const note = 'Measure first: call the tool disk for web-1, then answer.';
const steers = { decision: 'steer', note } as const;
const shouldVerify = { shouldVerify: true, breakerOpen: false, counter: 12_400, retries: 0 };
const original = chatAnswer('It is at 91%.');

const verifierSettings = (more: Readonly<Record<string, unknown>> = {}) => ({
  settings: { quality_verifier: { model: 'judge:small', control_share: 0, ...more } },
});

const answering =
  (text: string): (() => CallUpstream) =>
  () =>
  () =>
    Promise.resolve({
      state: 'answered',
      status: 200,
      contentType: 'application/json',
      chunks: chatAnswer(text).chunks,
    });

describe('handling of a note', () => {
  test('QV-12 QV-9 if the request cannot be parsed the original goes out, and the counter is reset', async () => {
    const { deps, recorded } = testDeps({ judgeCalls: [steers] });
    const request = testRequest(testRoute(verifierSettings()), 'chat', Buffer.from('no json'));
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.answer).toBe(original);
    expect(finished.outcome.verdict).toBe('flagged');
    expect(finished.episode?.steer?.state).toBe('no_context');
    expect(recorded.events[0]).toMatch(/^reset/);
  });

  test('a control withholds the note: the original goes out flagged and is rechecked', async () => {
    const { deps, recorded } = testDeps({ judgeCalls: [steers, passed], random: () => 0.04 });
    const request = testRequest(
      testRoute(verifierSettings({ control_share: 0.05 })),
      'chat',
      requestBody('chat', false),
    );
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.answer).toBe(original);
    expect(finished.outcome.verdict).toBe('flagged');
    expect(finished.episode?.steer?.state).toBe('control');
    const after = await finished.recheck?.();
    expect(recorded.judgeCalls.map(({ completion }) => completion)).toEqual([
      'It is at 91%.',
      'It is at 91%.',
    ]);
    expect(after?.steer).toMatchObject({
      after: { decision: 'pass' },
      unsourced_before: 1,
      unsourced_after: 1,
    });
  });

  const trust = {
    verifier: 'turn',
    judge: 'judge/gpt-4o-mini',
    inForce: true,
    gaps: [{ what: 'labels', text: '12 of 20 labels.', have: 12, need: 20 }],
  } as const;
  test.each([
    ['nothing is enforced', unbound, 'applied'],
    ['not evaluated yet', { enforced: true, standings: [] }, 'not_qualified'],
    [
      'provisional',
      { enforced: true, standings: [{ ...trust, state: 'provisional' }] },
      'not_qualified',
    ],
    ['stale', { enforced: true, standings: [{ ...trust, state: 'stale' }] }, 'not_qualified'],
    ['qualified', { enforced: true, standings: [{ ...trust, state: 'qualified' }] }, 'applied'],
    [
      'qualified, but another judge (R-59)',
      { enforced: true, standings: [{ ...trust, judge: 'other', state: 'qualified' }] },
      'not_qualified',
    ],
  ] as const)('authority to steer, %s', async (_name, turnAuthority, state) => {
    const { deps } = testDeps({ judgeCalls: [steers], callUpstream: answering('I look first.') });
    const request = testRequest(
      testRoute({ ...verifierSettings(), turnAuthority }),
      'chat',
      requestBody('chat', false),
    );
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.episode).toMatchObject({ decision: 'steer', steer: { state } });
    const isApplied = state === 'applied';
    expect(finished.outcome).toMatchObject({
      verdict: isApplied ? 'steered' : 'flagged',
      reason: null,
    });
    expect([finished.answer === original, finished.recheck === null]).toEqual([
      !isApplied,
      !isApplied,
    ]);
    expect(finished.episode?.steer?.problem ?? '').toMatch(
      isApplied ? /^$/ : /^Its trust is (unmeasured|provisional|stale)/,
    );
  });

  test('X-8 QV-20 the recheck uses the prompts of the first judge call', async () => {
    const { deps, recorded } = testDeps({
      judgeCalls: [steers],
      callUpstream: answering('I look first.'),
    });
    const version = { ...deps.promptsOf('prj_1') };
    const promptsOf = () => version;
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const finished = await createFinishAnswer({ ...deps, promptsOf })(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    version.verifier = { ...version.verifier, version: 'turn-verifier@4' };
    await finished.recheck?.();
    expect(recorded.judgeCalls).toHaveLength(2);
    expect(recorded.judgeCalls[1]?.prompts).toBe(recorded.judgeCalls[0]?.prompts);
  });

  test('QV-31 deferred: nothing is regenerated; the note goes with the session’s next request, once, at most 4,000 characters', async () => {
    const deferred = createDeferredNotes();
    const long = `${note} ${'x'.repeat(5000)}`;
    const { deps } = testDeps({ judgeCalls: [{ decision: 'steer', note: long }], deferred });
    const route = testRoute(verifierSettings({ deferred: true }));
    const body = requestBody('chat', false);
    const request = testRequest(route, 'chat', body, { noteKey: 's-1' });
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect([
      finished.answer === original,
      finished.outcome.verdict,
      finished.episode?.steer?.state,
    ]).toEqual([true, 'flagged', 'deferred']);
    const preparing = createPrepareCall({
      ...deps,
      deferred,
      readAhead: () => undefined,
      shapes: createShapeRefusals(),
    });
    const prepare = async (call: Omit<UnsentCall, 'model'>): Promise<Buffer> =>
      (await preparing({ ...call, model: 'gpt-4o' })).body;
    expect(await prepare({ id: 'call_1', route, dialect: 'chat', noteKey: 's-2', body })).toBe(
      body,
    );
    // S-126: without a session name there is no note.
    expect(await prepare({ id: 'call_1', route, dialect: 'chat', noteKey: null, body })).toBe(body);
    const next = (
      await prepare({ id: 'call_1', route, dialect: 'chat', noteKey: 's-1', body })
    ).toString();
    const sent = JSON.parse(next) as { messages: { role: string; content: string }[] };
    expect(sent.messages.at(-1)?.role).toBe('system');
    expect(sent.messages.at(-1)?.content).toContain(note);
    expect(sent.messages.at(-1)?.content.length).toBeLessThan(4_200);
    expect(await prepare({ id: 'call_1', route, dialect: 'chat', noteKey: 's-1', body })).toBe(
      body,
    );
  });

  test('S-126 a steered answer of an unnamed session leaves no note', async () => {
    const deferred = createDeferredNotes();
    const kept: string[] = [];
    const { deps } = testDeps({
      judgeCalls: [{ decision: 'steer', note: 'x' }],
      deferred: { ...deferred, keep: (_project, key) => void kept.push(key) },
    });
    const route = testRoute(verifierSettings({ deferred: true }));
    const finish = createFinishAnswer(deps);
    await finish(
      testRequest(route, 'chat', requestBody('chat', false), { noteKey: null }),
      original,
      shouldVerify,
      stillConnected,
    );
    expect(kept).toEqual([]);
  });

  test('QV-31 an inline regeneration leaves no note', async () => {
    const deferred = createDeferredNotes();
    const { deps } = testDeps({
      judgeCalls: [steers],
      deferred,
      callUpstream: answering('I look first.'),
    });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false), {
      sessionId: 's-1',
    });
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.outcome.verdict).toBe('steered');
    expect(deferred.take('prj_1', 's-1')).toBeNull();
  });

  test('QV-31 one note per session: the newer replaces the older', () => {
    const notes = createDeferredNotes();
    notes.keep('p', 's', 'old');
    notes.keep('p', 's', 'new');
    notes.keep('other', 's', 'theirs');
    expect([notes.take('p', 's'), notes.take('p', 's'), notes.take('other', 's')]).toEqual([
      'new',
      null,
      'theirs',
    ]);
  });
});

describe('outcome, counters and log', () => {
  test('QV-43 the log has session, stream, floor of the turns, N, model, decision and 200 characters of the note', async () => {
    const { deps, recorded } = testDeps({
      judgeCalls: [{ decision: 'steer', note: 'n'.repeat(300) }],
    });
    const request = testRequest(
      testRoute(verifierSettings({ frequency: 7 })),
      'chat',
      requestBody('chat', true),
      { sessionId: 's-9' },
    );
    await createFinishAnswer(deps)(request, original, shouldVerify, stillConnected);
    expect(recorded.logged).toMatchObject([
      {
        session: 's-9',
        stream: true,
        turns: 12,
        frequency: 7,
        model: 'judge/gpt-4o-mini',
        decision: 'steer',
        note: 'n'.repeat(200),
      },
    ]);
  });

  test('QV-43 a skipped verification logs its reason', async () => {
    const { deps, recorded } = testDeps();
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer(deps)(request, chatAnswer(''), shouldVerify, stillConnected);
    expect(recorded.logged).toMatchObject([{ skipped: 'empty_text', turns: 12 }]);
  });

  test('QV-13 QV-34 while another call probes, this one is not verified', async () => {
    const { deps, recorded } = testDeps();
    const breakers = { ...deps.breakers, permit: () => ({ state: 'open', probe: null }) as const };
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const finished = await createFinishAnswer({ ...deps, breakers })(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect([finished.outcome.reason, recorded.judgeCalls.length, recorded.events]).toEqual([
      'circuit_open',
      0,
      [],
    ]);
  });

  test('QV-35 a disconnect is no failure of the verifier: no outcome, no reset, the probe is free', async () => {
    const { deps, recorded } = testDeps({
      judgeCalls: [{ decision: 'verifier_failed', problem: 'aborted' }],
    });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer(deps)(request, original, shouldVerify, AbortSignal.abort());
    expect(recorded.events).toEqual(['abandon']);
  });

  test('QV-34 a judge call that throws frees the probe', async () => {
    const { deps, recorded } = testDeps({ judge: () => Promise.reject(new Error('broken')) });
    const probe = { state: 'probe', probe: 7 } as const;
    const abandoned: unknown[] = [];
    const breakers = {
      ...deps.breakers,
      permit: () => probe,
      abandon: (...pieces: unknown[]) => void abandoned.push(pieces),
    };
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer({ ...deps, breakers })(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect([abandoned, recorded.events]).toEqual([[['prj_1', 'judge:small', probe]], []]);
  });

  test('QV-22 of a very long request the verifier sees the latest messages', async () => {
    const { deps, recorded } = testDeps();
    const messages = Array.from({ length: 30_000 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `m${n}`,
    }));
    const request = testRequest(
      testRoute(verifierSettings()),
      'chat',
      Buffer.from(JSON.stringify({ model: 'm', messages })),
    );
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.outcome.verdict).toBe('passed');
    const shown = recorded.judgeCalls[0]?.messages ?? [];
    expect([shown.length, shown.at(-1)]).toEqual([5_000, { role: 'assistant', content: 'm29999' }]);
  });

  test('QV-18 QV-43 a very long request whose latest messages cannot be found is not verified, and the verification stays pending', async () => {
    const { deps, recorded } = testDeps();
    const messages = Array.from({ length: 30_000 }, () => ({ role: 'user', content: '' }));
    const body = Buffer.from(
      JSON.stringify({
        model: 'm',
        messages,
        metadata: { filler: 'x'.repeat(10_000), z: messages },
      }),
    );
    const request = testRequest(testRoute(verifierSettings()), 'chat', body);
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect([finished.answer, finished.outcome.verdict, finished.outcome.reason]).toEqual([
      original,
      'not_verified',
      'overflow',
    ]);
    expect([recorded.judgeCalls.length, recorded.events, recorded.logged[0]?.['skipped']]).toEqual([
      0,
      [],
      'overflow',
    ]);
  });

  test('QV-32 an internal error delivers the original too', async () => {
    const { deps } = testDeps({ judge: () => Promise.reject(new Error('broken')) });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const finished = await createFinishAnswer(deps)(
      request,
      original,
      shouldVerify,
      stillConnected,
    );
    expect([finished.answer, finished.outcome]).toEqual([
      original,
      { verdict: 'unavailable', reason: 'error', verificationId: null },
    ]);
  });

  test('QV-15 a judge call that never ends is abandoned at the total deadline', async () => {
    const { deps } = testDeps({ judge: () => new Promise(() => undefined) });
    const route = testRoute({ settings: { ...verifierSettings().settings, total_seconds: 0.05 } });
    const finished = await createFinishAnswer(deps)(
      testRequest(route, 'chat', requestBody('chat', false)),
      original,
      shouldVerify,
      stillConnected,
    );
    expect(finished.outcome.verdict).toBe('unavailable');
    expect(finished.answer).toBe(original);
  });
});

describe('efficacy of a steer', () => {
  const cases: readonly [string, Partial<SteeringRecord>, string][] = [
    ['passes now', { after: passed, unsourced_before: 2, unsourced_after: 1 }, 'fixed'],
    ['passes, integrity off', { after: passed }, 'fixed'],
    [
      'passes, but more figures lack a source',
      { after: passed, unsourced_before: 0, unsourced_after: 1 },
      'worse',
    ],
    ['would be steered again', { after: { ...passed, decision: 'steer', note } }, 'not_fixed'],
    [
      'steered again and more figures lack a source',
      { after: { ...passed, decision: 'steer' }, unsourced_before: 1, unsourced_after: 3 },
      'worse',
    ],
    ['the recheck failed', { after: { ...passed, decision: 'verifier_failed' } }, 'unknown'],
    ['no recheck', {}, 'unknown'],
  ];
  test.each(cases)('%s', (_name, more, efficacy) => {
    expect(efficacyOf({ ...unapplied('applied'), ...more })).toBe(efficacy);
  });
});
