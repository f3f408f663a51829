import { describe, expect, test } from 'vitest';
import type { Decomposition } from './index';
import { orderSubgoals } from './run-order';
import { scriptedClient, verdictOf } from './scripted-verdicts';

const subgoal = (id: string, depends_on: string[] = [], more: Record<string, unknown> = {}) => ({
  id,
  description: `do ${id}`,
  agent: 'reader',
  depends_on,
  ...more,
});

describe('orderSubgoals', () => {
  const names = (decomposition: Decomposition) => {
    const { phases, stuck } = orderSubgoals(decomposition);
    return [
      phases.map(
        ({ parallel, subgoals }) =>
          `${parallel ? '|' : '>'}${subgoals.map(({ id }) => id).join('')}`,
      ),
      stuck.map(({ id }) => id).join(''),
    ];
  };
  test.each<[string, Decomposition, string[], string]>([
    [
      'by its execution order',
      {
        subgoals: [subgoal('a'), subgoal('b'), subgoal('c')],
        execution_order: [
          { phase: 'parallel', subgoals: ['c', 'a'] },
          { phase: 'sequential', subgoals: ['b'] },
        ],
      },
      ['|ca', '>b'],
      '',
    ],
    [
      'by layers where there is none',
      { subgoals: [subgoal('c', ['a', 'b']), subgoal('b', ['a']), subgoal('a')] },
      ['|a', '|b', '|c'],
      '',
    ],
    [
      'each once, unnamed ones last, without missing ones',
      {
        subgoals: [subgoal('a'), subgoal('b', ['a'])],
        execution_order: [{ phase: 'sequential', subgoals: ['a', 'x', 'a'] }],
      },
      ['>a', '|b'],
      '',
    ],
    [
      'a cycle and a dependency that is not there are stuck',
      { subgoals: [subgoal('a', ['b']), subgoal('b', ['a']), subgoal('c', ['z']), subgoal('d')] },
      ['|d'],
      'abc',
    ],
  ])('%s', (_, decomposition, phases, stuck) => {
    expect(names(decomposition)).toEqual([phases, stuck]);
  });
});

/** Agents whose verdicts depend on their output. */
function setUp() {
  const { assay, sent } = scriptedClient(({ body }) => {
    const {
      output,
      subgoal: about,
      retries_used: used,
    } = body as {
      output: { agent: string; error?: string; say?: string };
      subgoal: { critical: boolean };
      retries_used: number;
    };
    if (output.say === 'other agent' && output.agent === 'reader')
      return verdictOf('agent-output', 'RETRY', {
        next: 'retry_other_agent',
        next_agent: 'writer',
      });
    if (output.error === undefined) return verdictOf('agent-output', 'PASS', { next: 'use' });
    if (used < 2) return verdictOf('agent-output', 'RETRY', { next: 'retry_same_agent' });
    const next = about.critical ? 'abort_query' : 'partial_with_warning';
    return verdictOf('agent-output', 'FAIL', { next, warning: 'there is no output' });
  });
  return { assay, sent };
}

describe('runSubgoals', () => {
  test('SOAR-20 a failure cancels no sibling, removes no result, and adds a warning', async () => {
    const { assay } = setUp();
    const decomposition = { subgoals: [subgoal('a'), subgoal('b'), subgoal('c', ['a', 'b'])] };
    const result = await assay.runSubgoals(decomposition, ({ id }, { results }) => {
      if (id === 'a') throw new Error('broken');
      return { say: id, saw: [...results.keys()].sort() };
    });
    expect(result.state).toBe('partial');
    expect(result.results.map(({ subgoal: { id }, state, output }) => [id, state, output])).toEqual(
      [
        ['a', 'failed', { error: 'broken' }],
        ['b', 'passed', { say: 'b', saw: [] }],
        ['c', 'passed', { say: 'c', saw: ['a', 'b'] }],
      ],
    );
    expect(result.warnings).toEqual(['a: there is no output']);
  });

  test('SOAR-18 SOAR-20 a critical failure stops later subgoals, not parallel ones', async () => {
    const { assay, sent } = setUp();
    const decomposition: Decomposition = {
      subgoals: [subgoal('a', [], { critical: true }), subgoal('b'), subgoal('c')],
      execution_order: [
        { phase: 'parallel', subgoals: ['a', 'b'] },
        { phase: 'sequential', subgoals: ['c'] },
      ],
    };
    const result = await assay.runSubgoals(decomposition, ({ id }) =>
      id === 'a' ? Promise.reject(new Error('broken')) : { say: id },
    );
    expect(result.state).toBe('aborted');
    expect(result.results.map(({ state, output }) => [state, output])).toEqual([
      ['failed', { error: 'broken' }],
      ['passed', { say: 'b' }],
      ['skipped', null],
    ]);
    expect(result.warnings[1]).toContain('c: it was not run, since a (do a) failed');
    expect(sent.filter(({ body }) => (body.subgoal as { id: string }).id === 'c')).toEqual([]);
  });

  test('SOAR-18 a retry calls the other agent that the verdict names', async () => {
    const { assay, sent } = setUp();
    const asked: (string | null)[] = [];
    const { state, results } = await assay.runSubgoals(
      { subgoals: [subgoal('a')] },
      (_, { agent }) => {
        asked.push(agent);
        return { say: 'other agent' };
      },
      {
        agentsAvailable: ['reader', 'writer'],
        traceId: 't',
        id: 'run',
        call: () => ({ executor_model: 'm' }),
      },
    );
    expect([state, asked, results[0]?.agent]).toEqual(['complete', ['reader', 'writer'], 'writer']);
    expect(sent.map(({ body }) => body)).toMatchObject([
      {
        id: 'run-a-1',
        trace_id: 't',
        agents_available: ['reader', 'writer'],
        output: { agent: 'reader' },
        executor_model: 'm',
        retries_used: 0,
      },
      { id: 'run-a-2', trace_id: 't', output: { agent: 'writer' }, retries_used: 1 },
    ]);
  });

  test('of two subgoals with one id the first is run, and the second is reported as skipped', async () => {
    const { assay } = setUp();
    const ran: string[] = [];
    const subgoals = [subgoal('a'), { ...subgoal('a'), description: 'do something else' }];
    const result = await assay.runSubgoals({ subgoals }, ({ description }) => {
      ran.push(description);
      return { say: description };
    });
    expect(ran).toEqual(['do a']);
    expect(result).toMatchObject({
      state: 'partial',
      results: [
        { state: 'passed', subgoal: { description: 'do a' } },
        {
          state: 'skipped',
          accepted: false,
          output: null,
          subgoal: { description: 'do something else' },
        },
      ],
      warnings: ['a: it was not run: an earlier subgoal has the same id, a'],
    });
  });

  test('an invalid decomposition rejects', async () => {
    const { assay } = setUp();
    const none = JSON.parse('null') as Decomposition;
    await expect(assay.runSubgoals(none, () => ({ say: 'x' }))).rejects.toThrow(TypeError);
  });

  test('a subgoal without an available verdict is reported, and stops the query only when it is critical', async () => {
    const { assay } = scriptedClient(() => ({
      status: 403,
      body: { error: { code: 'forbidden', message: 'no scope' } },
    }));
    const run = () => ({ summary: 's' });
    const subgoals = [subgoal('a', [], { critical: true }), subgoal('b', ['a'])];
    expect(await assay.runSubgoals({ subgoals }, run)).toMatchObject({
      state: 'aborted',
      results: [{ state: 'unreachable', output: { summary: 's' } }, { state: 'skipped' }],
    });
    const open = await assay.runSubgoals({ subgoals }, run, { onUnreachable: 'accept' });
    expect(open).toMatchObject({
      state: 'partial',
      results: [{ accepted: true }, { accepted: true }],
    });
    expect(open.warnings).toHaveLength(2);
  });
});
