import { expect, test } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { changesOfSubgoals, type ComparedSubgoal } from './subgoal-changes';

const subgoal = (id: string, more: Partial<ComparedSubgoal> = {}): ComparedSubgoal => ({
  id,
  description: `do ${id}`,
  agent: 'search',
  dependsOn: [],
  ...more,
});
const none = { added: [], removed: [], altered: [] };

test.each([
  ['nothing at all', [], [], none],
  ['nothing but the order', [subgoal('a'), subgoal('b')], [subgoal('b'), subgoal('a')], none],
  ['one more', [subgoal('a')], [subgoal('a'), subgoal('b')], { ...none, added: ['b'] }],
  ['one less', [subgoal('a'), subgoal('b')], [subgoal('b')], { ...none, removed: ['a'] }],
  [
    'another agent and description',
    [subgoal('a')],
    [subgoal('a', { agent: 'sql', description: 'ask the store' })],
    { ...none, altered: [{ id: 'a', fields: ['description', 'agent'] }] },
  ],
  [
    'no agent any more',
    [subgoal('a')],
    [subgoal('a', { agent: null })],
    { ...none, altered: [{ id: 'a', fields: ['agent'] }] },
  ],
  [
    'dependencies in another order',
    [subgoal('c', { dependsOn: ['a', 'b'] })],
    [subgoal('c', { dependsOn: ['b', 'a', 'b'] })],
    none,
  ],
  [
    'a dependency more',
    [subgoal('c', { dependsOn: ['a'] })],
    [subgoal('c', { dependsOn: ['a', 'b'] })],
    { ...none, altered: [{ id: 'c', fields: ['dependsOn'] }] },
  ],
  [
    'an id twice: the first counts',
    [subgoal('a'), subgoal('a', { agent: 'x' })],
    [subgoal('a')],
    none,
  ],
  [
    'ids that every object has',
    [subgoal('constructor')],
    [subgoal('__proto__')],
    { ...none, added: ['__proto__'], removed: ['constructor'] },
  ],
])('SOAR-12 an attempt compared with the previous one: %s', (_, before, after, changes) => {
  expect(changesOfSubgoals(before, after)).toEqual(changes);
});

test('SOAR-14 two decompositions of 10,000 subgoals are compared quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, at) =>
    subgoal(`s${at}`, { dependsOn: [`s${(at + 1) % 10_000}`] }),
  );
  const started = process.cpuUsage();
  expect(changesOfSubgoals(many, many.slice(1)).removed).toEqual(['s0']);
  expect(processorMsSince(started)).toBeLessThan(1000);
});
