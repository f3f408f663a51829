import { describe, expect, it, test } from 'vitest';
import { unknownMembers } from '../platform';
import { kinds } from './index';

/** S-127: misspelt members are refused anywhere in the body of a verify call. */

const bodies: ReadonlyMap<string, object> = new Map<string, object>([
  [
    'task',
    {
      task_output: 'x',
      success_criteria: [
        { text: 'Is clear', weight: 2, must_pass: true },
        {
          check: 'regex',
          value: { pattern: 'x', flags: 'i', absent: false },
          weight: 1,
          must_pass: true,
        },
        { check: 'word_count', value: { min: 1, max: 9 } },
      ],
    },
  ],
  ['consistency', { outputs: [{ task_id: 'a', output: 'x' }] }],
  [
    'mission',
    {
      description: 'x',
      tasks: [
        {
          task_id: 'a',
          description: 'd',
          output: 'x',
          verification_id: 'v',
          score: 1,
          verdict: 'pass',
        },
      ],
    },
  ],
  [
    'decomposition',
    {
      query: 'q',
      decomposition: {
        goal: 'g',
        subgoals: [{ id: 'a', description: 'd', agent: 'p', depends_on: [], requires: [] }],
        execution_order: [{ phase: 'sequential', subgoals: ['a'] }],
      },
      agents: [{ name: 'p', capabilities: [], tools: [], allowed_in: [] }],
      scores: {
        completeness: 1,
        consistency: 1,
        groundedness: 1,
        routability: 1,
        overall: 1,
        verdict: 'PASS',
        issues: [],
      },
    },
  ],
  [
    'agent-output',
    { subgoal: { id: 'a', description: 'd', critical: true }, output: {}, agents_available: [] },
  ],
  [
    'synthesis',
    {
      query: 'q',
      answer: 'a',
      agent_outputs: [{ id: 'a', agent: 'p', summary: 's', data: 1 }],
      claims: [{ text: 't', supported_by: ['a'] }],
    },
  ],
  [
    'code',
    {
      request: 'r',
      files: [{ path: 'a.py', content: 'x' }],
      run_tests: { runner: 'pytest', files: [{ path: 't.py', content: 'x' }] },
    },
  ],
]);

interface Edit {
  readonly path: string;
  readonly name: string;
  readonly body: object;
}

/**
 * The body with one letter of one member's name omitted, for each member that is long enough to be
 * recognized.
 */
function editsOf(body: object): readonly Edit[] {
  const edits: Edit[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const at = [...path, name];
      // An agent's output and a subject's values are the caller's own.
      if (at[0] === 'output') continue;
      if (!Array.isArray(value) && name.length > 3)
        edits.push({ path: at.join('.'), name, body: misspelt(body, at) });
      visit(member, at);
    }
  };
  visit(body, []);
  return edits;
}

function misspelt(body: object, [first = '', ...rest]: readonly string[]): object {
  if (Array.isArray(body))
    return body.map((each: object, i) => (String(i) === first ? misspelt(each, rest) : each));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => {
      if (name !== first) return [name, value];
      return rest.length === 0
        ? [name.slice(0, -2) + name.slice(-1), value]
        : [name, misspelt(value as object, rest)];
    }),
  );
}

describe.each([...bodies])('%s', (name, body) => {
  const kind = kinds.get(name);

  it('accepts the unchanged body', () => {
    expect(kind?.subject.safeParse(body).error).toBeUndefined();
    expect(unknownMembers(kind === undefined ? [] : [kind.subject], body)).toEqual([]);
  });

  it.each(editsOf(body).map((edit) => [edit.path, edit] as const))(
    'S-127 refuses a misspelt %s',
    (path, { name: wanted, body: odd }) => {
      if (kind === undefined) throw new Error('no such kind');
      const unknown = unknownMembers([kind.subject], odd).map(({ message }) => message);
      const faults =
        kind.subject
          .safeParse(odd)
          .error?.issues.map(({ message, code }) => `${code} ${message}`) ?? [];
      const said = [...unknown, ...faults.filter((each) => each.startsWith('custom'))].join('\n');
      expect(said, path).toContain(`did you mean \`${wanted}\`?`);
    },
  );
});

test.each([
  [{ chek: 'keywords', value: ['a'] }, 'check'],
  [{ check: 'keywords', vlaue: ['a'] }, 'value'],
  [{ txt: 'Is clear' }, 'text'],
  [{ text: 'Is clear', weigth: 2 }, 'weight'],
  [{ check: 'regex', value: { patern: 'x' } }, 'pattern'],
  [{ check: 'regex', value: { pattern: 'x', absnt: true } }, 'absent'],
])('S-127 the criterion %j is refused with the name that was meant', (criterion, wanted) => {
  const kind = kinds.get('task');
  if (kind === undefined) throw new Error('no such kind');
  const body = { task_output: 'x', success_criteria: [criterion] };
  const unknown = unknownMembers([kind.subject], body);
  const faults = kind.subject.safeParse(body).error?.issues ?? [];
  expect(JSON.stringify([unknown, faults])).toContain(`did you mean \`${wanted}\`?`);
});

test.each([
  [{ text: 'Is clear', check: 'keywords', value: ['a'] }],
  [{ text: 'Is clear', value: ['a'] }],
  [{ check: 'word_count', min: 1, max: 2 }],
  [{ text: '\u200b' }],
  ['\u2060\ufeff'],
  [{ check: '\u200b' }],
])('VS-2 %j is no criterion', (criterion) => {
  expect(
    kinds.get('task')?.subject.safeParse({ task_output: 'x', success_criteria: [criterion] })
      .success,
  ).toBe(false);
});

test('VS-11 a check that needs no value is requested by its name', () => {
  const body = { task_output: 'x', success_criteria: [{ check: 'urls_valid' }] };
  expect(kinds.get('task')?.subject.safeParse(body).success).toBe(true);
});
