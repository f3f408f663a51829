import { describe, expect, it, test } from 'vitest';
import type { Decomposition, KnownAgent, Subgoal, PlanContext } from './decomposition';
import { findCircles } from './dependencies';
import { checkStructure } from './structure';

const subgoal = (id: string, more: Partial<Subgoal> = {}): Subgoal => ({
  id,
  description: `Do ${id}`,
  agent: 'coder',
  depends_on: [],
  requires: [],
  ...more,
});
const plan = (subgoals: readonly Subgoal[], more: Partial<Decomposition> = {}): Decomposition => ({
  goal: 'Done',
  subgoals,
  execution_order: [],
  ...more,
});
const sequential = (...subgoals: string[]) => ({ phase: 'sequential', subgoals }) as const;
const parallel = (...subgoals: string[]) => ({ phase: 'parallel', subgoals }) as const;
const coder: KnownAgent = {
  name: 'coder',
  capabilities: ['read', 'write'],
  tools: ['git'],
  allowed_in: ['dev', 'staging'],
};
const around: PlanContext = {
  agents: [coder],
  environment: null,
  subgoalsMax: 10,
  limitOf: 'MEDIUM',
};

const check = (decomposition: Decomposition, changes: Partial<PlanContext> = {}) => {
  const { score, detail } = checkStructure(decomposition, { ...around, ...changes });
  expect(score).toMatchObject({
    state: 'scored',
    value: detail.faulty ? 0 : 1,
    met: !detail.faulty,
  });
  return detail;
};
const codes = (decomposition: Decomposition, changes: Partial<PlanContext> = {}) =>
  check(decomposition, changes).findings.map(({ code }) => code);

const sound = plan([subgoal('a'), subgoal('b', { depends_on: ['a'] })], {
  execution_order: [sequential('a', 'b')],
});

describe('the structure of a decomposition', () => {
  it('SOAR-14 a valid one has no findings', () => {
    expect(check(sound)).toEqual({ findings: [], faulty: false });
  });

  it.each<[string, Decomposition, string]>([
    ['no goal', { ...sound, goal: ' \u200b' }, 'empty_goal'],
    ['no subgoals', plan([]), 'no_subgoals'],
    [
      'a subgoal that says nothing',
      plan([subgoal('a', { description: '\n' })]),
      'empty_description',
    ],
    ['a subgoal without an id', plan([subgoal(' '), subgoal('b')]), 'missing_id'],
    ['an id twice', plan([subgoal('a'), subgoal('a')]), 'duplicate_id'],
    [
      'a dependency on a missing subgoal',
      plan([subgoal('a', { depends_on: ['z'] })]),
      'dangling_dependency',
    ],
    [
      'a subgoal that depends on itself',
      plan([subgoal('a', { depends_on: ['a'] })]),
      'dependency_cycle',
    ],
    [
      'two that wait for each other',
      plan([subgoal('a', { depends_on: ['b'] }), subgoal('b', { depends_on: ['a'] })]),
      'dependency_cycle',
    ],
    [
      'an order that names a missing subgoal',
      { ...sound, execution_order: [sequential('a', 'b', 'z')] },
      'unknown_in_order',
    ],
  ])('SOAR-14 %s can never pass', (_what, decomposition, code) => {
    const { findings, faulty } = check(decomposition);
    expect(faulty).toBe(true);
    expect(findings.filter((each) => each.faulty).map((each) => each.code)).toEqual([code]);
    expect(findings.every(({ advice }) => advice !== '')).toBe(true);
  });

  it.each<[string, Decomposition, string]>([
    [
      'one left out of the order',
      { ...sound, execution_order: [sequential('a')] },
      'left_out_of_order',
    ],
    [
      'one twice in the order',
      { ...sound, execution_order: [sequential('a', 'b'), parallel('a')] },
      'ordered_twice',
    ],
    [
      'an order against a dependency',
      { ...sound, execution_order: [sequential('b', 'a')] },
      'contradictory_order',
    ],
    [
      'a later phase for what comes first',
      { ...sound, execution_order: [parallel('b'), parallel('a')] },
      'contradictory_order',
    ],
    [
      'at once what must follow',
      { ...sound, execution_order: [parallel('a', 'b')] },
      'contradictory_order',
    ],
    ['nobody to do it', plan([subgoal('a', { agent: null })]), 'no_agent'],
    ['an agent that nobody knows', plan([subgoal('a', { agent: 'sage' })]), 'unknown_agent'],
    [
      'an agent without a tool',
      plan([subgoal('a', { requires: ['sql', 'git'] })]),
      'missing_capability',
    ],
  ])('SOAR-14 %s is an issue, and may pass', (_what, decomposition, code) => {
    const { findings, faulty } = check(decomposition);
    expect([faulty, findings.map((each) => each.code)]).toEqual([false, [code]]);
  });

  it('SOAR-14 a cycle is named, on one line however long it is', () => {
    const { findings } = check(
      plan(['a', 'b', 'c'].map((id, i) => subgoal(id, { depends_on: [['c', 'a', 'b'][i] ?? ''] }))),
    );
    expect(findings[0]?.message).toBe(
      'These subgoals depend on each other in a circle: a → c → b → a',
    );
    const two = findCircles(
      new Map([
        ['a', ['b']],
        ['b', ['a']],
        ['c', ['d', 'a']],
        ['d', ['c']],
        ['e', ['d']],
      ]),
    );
    expect(two).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('SOAR-14 agents that may not work here are reported, if the environment is known', () => {
    expect(codes(sound, { environment: 'production' })).toEqual([
      'agent_not_allowed',
      'agent_not_allowed',
    ]);
    expect(codes(sound, { environment: 'Staging' })).toEqual([]);
    expect(
      codes(sound, { environment: 'production', agents: [{ ...coder, allowed_in: null }] }),
    ).toEqual([]);
  });

  it('SOAR-14 skills are compared ignoring case and hyphens, and "all" is everything', () => {
    const asks = plan([subgoal('a', { agent: 'CODER', requires: ['Unit Tests', 'GIT'] })]);
    expect(codes(asks, { agents: [{ ...coder, capabilities: ['unit_tests'] }] })).toEqual([]);
    expect(codes(asks, { agents: [{ ...coder, capabilities: ['All'], tools: [] }] })).toEqual([]);
    expect(check(asks).findings[0]?.message).toContain('lacks "Unit Tests"');
  });

  it('SOAR-14 an empty dependency is a missing one, and never one on itself', () => {
    const { findings } = check(
      plan([subgoal('', { depends_on: [''] }), subgoal('b', { depends_on: [''] })]),
    );
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['missing_id', 'Subgoal 1 has no id: nothing can depend on it'],
      ['dangling_dependency', 'Subgoal 1 depends on "", which is no subgoal'],
      ['dangling_dependency', 'Subgoal "b" depends on "", which is no subgoal'],
    ]);
    expect(findings[1]?.advice).toBe(
      'Name a subgoal by its id, or take it out of what subgoal 1 depends on.',
    );
  });

  it('SOAR-14 agents whose names differ only in case and hyphens share all their skills', () => {
    const asks = plan([
      subgoal('a', { agent: 'db-admin', requires: ['sql', 'backup', 'psql', 'vacuum'] }),
    ]);
    const admin = (
      name: string,
      capabilities: string[],
      tools: string[],
      allowed: string[] | null,
    ): KnownAgent => ({
      name,
      capabilities,
      tools,
      allowed_in: allowed,
    });
    const two = [
      admin('db_admin', ['sql'], ['psql'], ['dev']),
      admin('DB admin', ['backup'], ['vacuum'], ['production']),
    ];
    for (const agents of [two, two.toReversed()]) {
      expect(codes(asks, { agents, environment: 'dev' })).toEqual([]);
      expect(codes(asks, { agents, environment: 'production' })).toEqual([]);
      expect(codes(asks, { agents, environment: 'staging' })).toEqual(['agent_not_allowed']);
      expect(
        codes(asks, {
          agents: [...agents, admin('Db-Admin', ['all'], [], null)],
          environment: 'staging',
        }),
      ).toEqual([]);
    }
    expect(
      codes(plan([subgoal('a', { agent: 'llm-executor', requires: ['sql'] })]), {
        agents: [admin('llm_executor', [], [], null)],
      }),
    ).toEqual(['missing_capability']);
  });

  it('SOAR-15 the fallbacks are always available, can do everything, and are recommended', () => {
    const agents: KnownAgent[] = [];
    const fallen = plan([
      subgoal('a', { agent: 'generic-executor', requires: ['sql'] }),
      subgoal('b', { agent: 'llm_executor' }),
    ]);
    expect(codes(fallen, { agents, environment: 'production' })).toEqual([]);
    const { findings } = check(sound, { agents });
    expect(findings.map(({ code }) => code)).toEqual(['unknown_agent', 'unknown_agent']);
    expect(findings[0]?.advice).toContain('"generic-executor" or "llm-executor"');
  });

  it('SOAR-14 where the agents are unknown they are not checked, which is reported', () => {
    expect(check(sound, { agents: null })).toMatchObject({
      faulty: false,
      findings: [{ code: 'agents_unchecked', severity: 'low' }],
    });
  });

  it('SOAR-14 more subgoals than the complexity allows are an issue', () => {
    const { findings } = check(plan(Array.from({ length: 4 }, (_, i) => subgoal(`s${i}`))), {
      subgoalsMax: 3,
      limitOf: 'SIMPLE',
    });
    expect(findings).toMatchObject([
      { code: 'too_many_subgoals', message: expect.stringContaining('SIMPLE') as string },
    ]);
  });

  it('the same fault of a thousand subgoals is listed ten times, and counted', () => {
    const { findings } = check(
      plan(Array.from({ length: 1_000 }, (_, i) => subgoal(`s${i}`, { description: '' }))),
      {
        subgoalsMax: 2_000,
      },
    );
    expect(findings).toHaveLength(11);
    expect(findings.at(-1)).toMatchObject({
      faulty: true,
      message: '990 more of these: empty description',
    });
  });
});

describe('large ones', () => {
  const chain = (count: number, last: string): Decomposition =>
    plan(
      Array.from({ length: count }, (_, i) =>
        subgoal(`s${i}`, { depends_on: [i === 0 ? last : `s${i - 1}`] }),
      ),
      { execution_order: [sequential(...Array.from({ length: count }, (_, i) => `s${i}`))] },
    );

  test('SOAR-14 a cycle of 10,000 subgoals ends, and is named', () => {
    const { findings } = check(chain(10_000, 's9999'), { subgoalsMax: 20_000 });
    expect(findings[0]).toMatchObject({ code: 'dependency_cycle', faulty: true });
    expect(findings[0]?.message).toContain('(10000 subgoals)');
    expect(findings[0]?.message.length).toBeLessThan(500);
  });

  test('20,000 subgoals that each depend on the ones before are checked in linear time', () => {
    const wide = plan(
      Array.from({ length: 20_000 }, (_, i) =>
        subgoal(`s${i}`, { depends_on: i === 0 ? [] : ['s0', `s${i - 1}`] }),
      ),
    );
    expect(codes(wide, { subgoalsMax: 20_000 })).toEqual([]);
  });

  test('SOAR-14 500 subgoals are checked in under 50 ms', () => {
    const whole = chain(500, '');
    const subgoals = whole.subgoals.map((each, i) => ({
      ...each,
      depends_on: i === 0 ? [] : each.depends_on,
      requires: ['read'],
    }));
    const fixed = { ...whole, subgoals };
    expect(codes(fixed, { subgoalsMax: 500 })).toEqual([]);
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now();
      checkStructure(fixed, around);
      return performance.now() - began;
    }).toSorted((a, b) => a - b);
    expect(times[4]).toBeLessThan(50);
  });
});
