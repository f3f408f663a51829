import { describe, expect, test } from 'vitest';
import { type EpisodeSteer, efficacyOf } from '../../domain';
import { unbound } from '../../thresholds';
import { createDeferredNotes } from './deferred-notes';
import type { CallUpstream } from '../exchange';
import { unapplied } from './regenerate';
import {
  chatAnswer,
  noOneLeft,
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
const due = { due: true, breakerOpen: false, counter: 12_400, retries: 0 };
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

describe('what becomes of a note', () => {
  test('QV-12 QV-9 without a request to build the recall from the original goes out, and the counter has been reset', async () => {
    const { deps, witness } = testDeps({ looks: [steers] });
    const request = testRequest(testRoute(verifierSettings()), 'chat', Buffer.from('no json'));
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(settled.answer).toBe(original);
    expect(settled.verification.verdict).toBe('flagged');
    expect(settled.episode?.steer?.state).toBe('no_context');
    expect(witness.events[0]).toMatch(/^reset/);
  });

  test('a control withholds the note: the original goes out flagged, and the second look is at that same answer', async () => {
    const { deps, witness } = testDeps({ looks: [steers, passed], random: () => 0.04 });
    const request = testRequest(
      testRoute(verifierSettings({ control_share: 0.05 })),
      'chat',
      requestBody('chat', false),
    );
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(settled.answer).toBe(original);
    expect(settled.verification.verdict).toBe('flagged');
    expect(settled.episode?.steer?.state).toBe('control');
    const after = await settled.after?.();
    expect(witness.looks.map(({ completion }) => completion)).toEqual([
      'It is at 91%.',
      'It is at 91%.',
    ]);
    expect(after?.steer).toMatchObject({
      after: { decision: 'pass' },
      unsourced_before: 1,
      unsourced_after: 1,
    });
  });

  const counterState = {
    verifier: 'turn',
    judge: 'judge/gpt-4o-mini',
    inForce: true,
    gaps: [{ what: 'labels', text: '12 of 20 labels.', have: 12, need: 20 }],
  } as const;
  test.each([
    ['nothing is enforced', unbound, 'applied'],
    ['nobody has looked yet', { enforced: true, standings: [] }, 'not_qualified'],
    [
      'provisional',
      { enforced: true, standings: [{ ...counterState, state: 'provisional' }] },
      'not_qualified',
    ],
    [
      'stale',
      { enforced: true, standings: [{ ...counterState, state: 'stale' }] },
      'not_qualified',
    ],
    [
      'qualified',
      { enforced: true, standings: [{ ...counterState, state: 'qualified' }] },
      'applied',
    ],
    [
      'qualified, but another judge (R-59)',
      { enforced: true, standings: [{ ...counterState, judge: 'other', state: 'qualified' }] },
      'not_qualified',
    ],
  ] as const)('the right to steer, %s', async (_name, turnAuthority, state) => {
    const { deps } = testDeps({ looks: [steers], callUpstream: answering('I look first.') });
    const request = testRequest(
      testRoute({ ...verifierSettings(), turnAuthority }),
      'chat',
      requestBody('chat', false),
    );
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(settled.episode).toMatchObject({ decision: 'steer', steer: { state } });
    const isApplied = state === 'applied';
    expect(settled.verification).toMatchObject({
      verdict: isApplied ? 'steered' : 'flagged',
      reason: null,
    });
    expect([settled.answer === original, settled.after === null]).toEqual([!isApplied, !isApplied]);
    expect(settled.episode?.steer?.problem ?? '').toMatch(
      isApplied ? /^$/ : /^Its trust is (unmeasured|provisional|stale)/,
    );
  });

  test('X-8 QV-20 the second look goes by the prompts that the episode began with', async () => {
    const { deps, witness } = testDeps({
      looks: [steers],
      callUpstream: answering('I look first.'),
    });
    const version = { ...deps.promptsOf('prj_1') };
    const promptsOf = () => version;
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const settled = await createFinishAnswer({ ...deps, promptsOf })(
      request,
      original,
      due,
      noOneLeft,
    );
    version.verifier = { ...version.verifier, version: 'turn-verifier@4' };
    await settled.after?.();
    expect(witness.looks).toHaveLength(2);
    expect(witness.looks[1]?.prompts).toBe(witness.looks[0]?.prompts);
  });

  test('QV-31 deferred: nothing is recalled; the note waits for the session, goes with its next request once, at most 4,000 characters', async () => {
    const deferred = createDeferredNotes();
    const long = `${note} ${'x'.repeat(5000)}`;
    const { deps } = testDeps({ looks: [{ decision: 'steer', note: long }], deferred });
    const route = testRoute(verifierSettings({ deferred: true }));
    const body = requestBody('chat', false);
    const request = testRequest(route, 'chat', body, { noteKey: 's-1' });
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect([
      settled.answer === original,
      settled.verification.verdict,
      settled.episode?.steer?.state,
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
    // S-126: whoever names no session gets no note.
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

  test('S-126 a steered answer of a session that nobody named leaves no note', async () => {
    const deferred = createDeferredNotes();
    const kept: string[] = [];
    const { deps } = testDeps({
      looks: [{ decision: 'steer', note: 'x' }],
      deferred: { ...deferred, keep: (_project, key) => void kept.push(key) },
    });
    const route = testRoute(verifierSettings({ deferred: true }));
    const settle = createFinishAnswer(deps);
    await settle(
      testRequest(route, 'chat', requestBody('chat', false), { noteKey: null }),
      original,
      due,
      noOneLeft,
    );
    expect(kept).toEqual([]);
  });

  test('QV-31 an inline recall leaves the store empty', async () => {
    const deferred = createDeferredNotes();
    const { deps } = testDeps({
      looks: [steers],
      deferred,
      callUpstream: answering('I look first.'),
    });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false), {
      sessionId: 's-1',
    });
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(settled.verification.verdict).toBe('steered');
    expect(deferred.take('prj_1', 's-1')).toBeNull();
  });

  test('QV-31 one note a session: the newer takes the place of the older', () => {
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

describe('what is told, counted and logged', () => {
  test('QV-43 the log has session, stream, floor of the turns, N, model, decision and 200 characters of the note', async () => {
    const { deps, witness } = testDeps({ looks: [{ decision: 'steer', note: 'n'.repeat(300) }] });
    const request = testRequest(
      testRoute(verifierSettings({ frequency: 7 })),
      'chat',
      requestBody('chat', true),
      { sessionId: 's-9' },
    );
    await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(witness.logged).toMatchObject([
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

  test('QV-43 a skipped episode says why', async () => {
    const { deps, witness } = testDeps();
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer(deps)(request, chatAnswer(''), due, noOneLeft);
    expect(witness.logged).toMatchObject([{ skipped: 'empty_text', turns: 12 }]);
  });

  test('QV-13 QV-34 while another call is the probe, this one is no episode', async () => {
    const { deps, witness } = testDeps();
    const breakers = { ...deps.breakers, permit: () => ({ state: 'open', probe: null }) as const };
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const settled = await createFinishAnswer({ ...deps, breakers })(
      request,
      original,
      due,
      noOneLeft,
    );
    expect([settled.verification.reason, witness.looks.length, witness.events]).toEqual([
      'circuit_open',
      0,
      [],
    ]);
  });

  test('QV-35 who leaves is no failure of the verifier: no outcome, no reset, the probe is free', async () => {
    const { deps, witness } = testDeps({
      looks: [{ decision: 'verifier_failed', problem: 'aborted' }],
    });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer(deps)(request, original, due, AbortSignal.abort());
    expect(witness.events).toEqual(['abandon']);
  });

  test('QV-34 a look that breaks frees the probe', async () => {
    const { deps, witness } = testDeps({ askVerifier: () => Promise.reject(new Error('broken')) });
    const probe = { state: 'probe', probe: 7 } as const;
    const abandoned: unknown[] = [];
    const breakers = {
      ...deps.breakers,
      permit: () => probe,
      abandon: (...said: unknown[]) => void abandoned.push(said),
    };
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    await createFinishAnswer({ ...deps, breakers })(request, original, due, noOneLeft);
    expect([abandoned, witness.events]).toEqual([[['prj_1', 'judge:small', probe]], []]);
  });

  test('QV-22 of a very long request the verifier is shown what was said last', async () => {
    const { deps, witness } = testDeps();
    const messages = Array.from({ length: 30_000 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `m${n}`,
    }));
    const request = testRequest(
      testRoute(verifierSettings()),
      'chat',
      Buffer.from(JSON.stringify({ model: 'm', messages })),
    );
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect(settled.verification.verdict).toBe('passed');
    const shown = witness.looks[0]?.messages ?? [];
    expect([shown.length, shown.at(-1)]).toEqual([5_000, { role: 'assistant', content: 'm29999' }]);
  });

  test('QV-18 QV-43 a very long request whose last messages cannot be found is no episode, and the session stays due', async () => {
    const { deps, witness } = testDeps();
    const messages = Array.from({ length: 30_000 }, () => ({ role: 'user', content: '' }));
    const body = Buffer.from(
      JSON.stringify({
        model: 'm',
        messages,
        metadata: { filler: 'x'.repeat(10_000), z: messages },
      }),
    );
    const request = testRequest(testRoute(verifierSettings()), 'chat', body);
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect([settled.answer, settled.verification.verdict, settled.verification.reason]).toEqual([
      original,
      'not_verified',
      'overflow',
    ]);
    expect([witness.looks.length, witness.events, witness.logged[0]?.['skipped']]).toEqual([
      0,
      [],
      'overflow',
    ]);
  });

  test('QV-32 a fault of our own delivers the original too', async () => {
    const { deps } = testDeps({ askVerifier: () => Promise.reject(new Error('broken')) });
    const request = testRequest(testRoute(verifierSettings()), 'chat', requestBody('chat', false));
    const settled = await createFinishAnswer(deps)(request, original, due, noOneLeft);
    expect([settled.answer, settled.verification]).toEqual([
      original,
      { verdict: 'unavailable', reason: 'error', verificationId: null },
    ]);
  });

  test('QV-15 a look that never ends is given up at the total deadline', async () => {
    const { deps } = testDeps({ askVerifier: () => new Promise(() => undefined) });
    const route = testRoute({ settings: { ...verifierSettings().settings, total_seconds: 0.05 } });
    const settled = await createFinishAnswer(deps)(
      testRequest(route, 'chat', requestBody('chat', false)),
      original,
      due,
      noOneLeft,
    );
    expect(settled.verification.verdict).toBe('unavailable');
    expect(settled.answer).toBe(original);
  });
});

describe('efficacy of a steer', () => {
  const cases: readonly [string, Partial<EpisodeSteer>, string][] = [
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
    ['the second look failed', { after: { ...passed, decision: 'verifier_failed' } }, 'unknown'],
    ['no second look', {}, 'unknown'],
  ];
  test.each(cases)('%s', (_name, more, efficacy) => {
    expect(efficacyOf({ ...unapplied('applied'), ...more })).toBe(efficacy);
  });
});
