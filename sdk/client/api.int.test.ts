import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { routeExamples } from '../../scripts/docs/route-examples';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import {
  type Assay,
  AssayError,
  createAssay,
  evaluate,
  type OwnVerifierWork,
  type Turn,
  type VerifyKindName,
  type VerifyWork,
} from './index';

/** Verify calls of every kind, reading and labels, against a real edge and worker. */

let stack: Stack;
let edge: Edge;
let assay: Assay;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  [edge] = await Promise.all([startEdge(stack.variables), startWorker(stack.variables)]);
  assay = createAssay({ url: edge.url, key: stack.key, flushOnExit: false });
});

afterAll(async () => {
  await assay.close();
  await stack.close();
});

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

describe('verify calls', () => {
  /** Compiles only if it has each kind; the test below compares it with the server's routes. */
  const kinds: Record<VerifyKindName, true> = {
    'agent-output': true,
    code: true,
    consistency: true,
    decomposition: true,
    integrity: true,
    mission: true,
    synthesis: true,
    task: true,
    turn: true,
  };

  test('have all the kinds of the server', async () => {
    const response = await fetch(`${edge.url}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, unknown> };
    const served = Object.keys(paths)
      .flatMap((path) => /^\/v1\/verify\/([\w-]+)$/.exec(path)?.[1] ?? [])
      .toSorted();
    expect(Object.keys(kinds).toSorted()).toEqual(served);
  });

  test.each(Object.keys(kinds))('of the kind %s', async (kind) => {
    const example = routeExamples.find(({ route }) => route === `POST /v1/verify/${kind}`);
    const work = { ...(example?.body as OwnVerifierWork), id: `sdk-${kind}` };
    const options = { timeoutMs: 60_000, throwOnError: true };
    const result = await assay.verify(kind, work, options);
    expect(result).toMatchObject({
      ok: true,
      verification: { kind, state: 'settled', outcome: expect.any(String) as string },
    });
    // The same id identifies the same verification, and other work under it is refused.
    expect(await assay.verify(kind, work, options)).toMatchObject({
      verification: { id: result.ok ? result.verification.id : '' },
    });
    const other = { ...work, session_id: 'another' };
    await expect(assay.verify(kind, other, options)).rejects.toMatchObject({ status: 409 });
  });

  test('of a verifier of the project', async () => {
    await assay.call('PUT /v1/verifiers/{verifier}', {
      params: { verifier: 'short-answer' },
      body: { kind: 'checks', checks: [{ check: 'max_length', value: 20, must_pass: true }] },
    });
    const verdictOn = (output: string) => assay.verify('short-answer', { subject: { output } });
    expect(await verdictOn('Yes.')).toMatchObject({ verification: { outcome: 'passed' } });
    expect(await verdictOn('Yes, as I said at length.')).toMatchObject({
      verification: { outcome: 'failed' },
    });
  });

  test('return at once with the mode async, and name the members that are refused', async () => {
    const work = { id: 'sdk-async', tools: [], output: 'It is 7.' };
    const result = await assay.verify('integrity', work, { mode: 'async', throwOnError: true });
    const id = result.ok ? result.verification.id : '';
    await stack.drained();
    expect(await assay.getVerification(id)).toMatchObject({ id, state: 'settled' });
    const refused = await assay.verify('short-answer', { subject: {}, threshold: 7 });
    expect(refused).toMatchObject({ ok: false, error: { status: 400 } });
    const missing = { task_description: 'x', success_criteria: ['y'] } as VerifyWork<'task'>;
    await expect(assay.verify('task', missing, { throwOnError: true })).rejects.toMatchObject({
      details: [{ path: 'task_output' }],
      requestId: expect.stringMatching(/./) as string,
    });
  });
});

describe('reading and labels', () => {
  const session = 'sdk-session';
  let verdict = '';

  beforeAll(async () => {
    const traceId = '5b8efff798038103d269b633813fc60c';
    for (const name of ['one', 'two'])
      assay.turn(sampleTurn(`sdk-${name}`, { session_id: session, trace_id: traceId }) as Turn);
    await assay.flush();
    await stack.drained();
    const [newest] = await all(assay.listVerifications({ session_id: session, limit: 1 }));
    verdict = newest?.id ?? '';
  });

  test('turns, sessions, missions and measures', async () => {
    expect(await assay.getTurn('sdk-one')).toMatchObject({
      id: 'sdk-one',
      session_id: session,
      verdicts: [{ verifier: 'integrity@1' }],
    });
    // Two pages.
    const turns = await all(assay.listTurns({ session_id: session, limit: 1 }));
    expect(turns.map(({ id }) => id)).toEqual(['sdk-two', 'sdk-one']);
    expect((await all(assay.listSessionTurns(session))).map(({ id }) => id)).toEqual([
      'sdk-one',
      'sdk-two',
    ]);
    expect(await assay.getSession(session)).toMatchObject({ id: session });
    expect((await all(assay.listSessions())).map(({ id }) => id)).toContain(session);
    expect(await assay.endSession(session)).toEqual({ id: session, verifications: 0 });
    const example = routeExamples.find(({ route }) => route === 'POST /v1/verify/mission');
    const { mission_id: mission = '' } = (example?.body ?? {}) as { mission_id?: string };
    expect(await assay.getMission(mission)).toMatchObject({ id: mission });
    expect((await assay.endMission(mission)).id).toBe(mission);
    const { data } = await assay.getVerifierMeasures({ verifier: 'integrity' });
    expect(data.map(({ verifier }) => verifier)).toEqual(['integrity']);
    const { data: models } = await assay.getModelMeasures();
    expect(models.map(({ model }) => model)).toContain('gpt-4o');
  });

  test('traces', async () => {
    const example = routeExamples.find(({ route }) => route === 'POST /v1/traces');
    await fetch(`${edge.url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(example?.body),
    });
    await stack.drained();
    const [trace] = await all(assay.listTraces());
    expect(await assay.getTrace(trace?.id ?? '', { content: 'true' })).toMatchObject({
      id: trace?.id,
    });
  });

  test('rulings, grades, labels and outcomes, each of which can be undone', async () => {
    const ruling = { id: 'sdk-ruling', verdict: 'pass', reason: 'It is in the appendix.' };
    expect(await assay.override(verdict, ruling)).toMatchObject({
      id: 'sdk-ruling',
      verdict: 'sourced',
    });
    expect(await assay.getVerification(verdict)).toMatchObject({ effective_verdict: 'sourced' });
    expect(await assay.undoOverride(verdict, 'sdk-ruling')).toMatchObject({ id: 'sdk-ruling' });
    expect(await assay.getVerification(verdict)).toMatchObject({ effective_verdict: 'unsourced' });
    const grade = await assay.label({ verification_id: verdict, grade: 4 });
    expect(grade).toMatchObject({ kind: 'grade', grade: 4 });
    expect(await assay.undoLabel(grade.id)).toMatchObject({
      undone_at: expect.any(String) as string,
    });
    assay.outcome({ id: 'sdk-outcome', turn_id: 'sdk-one', success: true, source: 'ci' });
    await assay.flush();
    const labels = await all(assay.listLabels());
    expect(labels.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['sdk-ruling', grade.id, 'sdk-outcome']),
    );
  });

  test('findings', async () => {
    await stack.sql`
      insert into alert_events (project_id, id, kind, series, name, event, severity, value, limit_value, message)
      values (${stack.project.projectId}, 'alr_sdk', 'judge_outage', 'openai', 'openai', 'began', 'high', 0.4, 0.2,
        '4 of 10 calls to openai failed in the last 15 minutes.')`;
    expect((await all(assay.listFindings({ state: 'open' }))).map(({ id }) => id)).toEqual([
      'alr_sdk',
    ]);
    expect(await assay.acknowledgeFinding('alr_sdk', 'It is being repaired.')).toMatchObject({
      acknowledged: { reason: 'It is being repaired.' },
    });
  });

  test('datasets and experiments', async () => {
    const slug = 'sdk-sums';
    await assay.putDataset(slug, { name: 'Sums' });
    const items = [1, 2, 3].map((n) => ({
      id: `i-${n}`,
      input: `${n} + 1`,
      reference: `${n + 1}`,
    }));
    expect(await assay.addItems(slug, items)).toMatchObject({ version: 1, added: 3 });
    expect(await assay.addItems(slug, items.slice(1), 'replace')).toMatchObject({ version: 2 });
    const idsOf = async (version?: number) =>
      (await all(assay.listItems(slug, version === undefined ? {} : { version }))).map(
        ({ id }) => id,
      );
    expect([await idsOf(1), await idsOf()]).toEqual([
      ['i-1', 'i-2', 'i-3'],
      ['i-2', 'i-3'],
    ]);
    expect(await assay.getDataset(slug)).toMatchObject({ slug, version: 2 });
    expect((await all(assay.listDatasets())).map((each) => each.slug)).toContain(slug);
    const ids: string[] = [];
    for (const target of ['2', '3']) {
      const { id } = await evaluate({
        url: edge.url,
        key: stack.key,
        dataset: slug,
        target: () => target,
        verifiers: ['short-answer'],
      });
      ids.push(id);
    }
    const [first = '', second = ''] = ids;
    expect(await assay.getExperiment(first)).toMatchObject({ id: first, state: 'done' });
    expect((await all(assay.listExperiments({ dataset: slug }))).map(({ id }) => id)).toEqual([
      second,
      first,
    ]);
    expect(await all(assay.listExperimentRows(first))).toHaveLength(2);
    expect(await assay.compareExperiments([first, second])).toMatchObject({
      items: { data: [{ item_id: 'i-2', change: 'same' }, { item_id: 'i-3' }] },
    });
    await assay.call('DELETE /v1/verifiers/{verifier}', { params: { verifier: 'short-answer' } });
    expect(await assay.deleteDataset(slug)).toEqual({ slug });
    await expect(assay.getDataset(slug)).rejects.toMatchObject({ status: 404 });
  });

  test('an AssayError states the problem', async () => {
    const failing = async (made: Promise<unknown>): Promise<unknown> =>
      made.then(
        () => null,
        (error: unknown) => (error instanceof AssayError ? error : null),
      );
    expect(await failing(assay.getTurn('none'))).toMatchObject({ code: 'not_found', status: 404 });
    expect(await failing(assay.getTurn(''))).toMatchObject({ code: 'invalid', status: null });
    expect(await failing(assay.label({ grade: 9, verification_id: verdict }))).toMatchObject({
      details: [{ path: 'grade' }],
    });
    const unset = createAssay({ url: edge.url, key: '', flushOnExit: false });
    expect(await failing(unset.getDataset('x'))).toMatchObject({ code: 'misconfigured' });
    const away = createAssay({ url: 'http://127.0.0.1:1', key: 'k', flushOnExit: false });
    const input = { params: { slug: 'x' }, timeoutMs: 300 };
    expect(await failing(away.call('GET /v1/datasets/{slug}', input))).toMatchObject({
      code: 'unreachable',
    });
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(await failing(assay.addItems('x', [{ input: circle }]))).toMatchObject({
      code: 'not_json',
    });
  });

  test('a call that is retried is performed once', async () => {
    let calls = 0;
    const keys = new Set<string | null>();
    const losing = createAssay({
      url: edge.url,
      key: stack.key,
      flushOnExit: false,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        keys.add(new Headers(init?.headers).get('idempotency-key'));
        calls++;
        return calls === 1 ? new Response('', { status: 503 }) : response;
      },
    });
    const label = await losing.label({
      turn_id: 'sdk-two',
      verifier: 'integrity',
      verdict: 'fail',
    });
    expect([calls, keys.size]).toEqual([2, 1]);
    const stored = await all(assay.listLabels({ subject_id: label.subject_id }));
    expect(stored.filter(({ verdict: ruled }) => ruled === label.verdict)).toHaveLength(1);
  });
});
