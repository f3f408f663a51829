import { expect, test } from 'vitest';
import { progressOf, progressText, setupSteps, stepText } from './setup-steps';

const none = {
  key: false,
  trace: false,
  verdict: false,
  ruling: false,
  model: false,
  threshold: false,
  prompt: false,
  gateway: false,
  member: false,
};
const all = Object.fromEntries(Object.keys(none).map((step) => [step, true])) as typeof none;

test('every step that the server tells has its place in the list', () => {
  expect([...setupSteps].sort()).toEqual(Object.keys(stepText).sort());
});

test.each([
  [none, 'key', '0 of 6 done'],
  // What is optional is passed over.
  [{ ...none, key: true, trace: true, verdict: true, ruling: true }, 'threshold', '4 of 6 done'],
  // Done by another way, as a turn of an earlier key: the first that is missing comes next.
  [{ ...none, trace: true, verdict: true }, 'key', '2 of 6 done'],
  [
    { ...all, model: false, gateway: false, member: false },
    null,
    'Done; 3 more where you want them',
  ],
  [{ ...all, member: false }, null, 'Done; 1 more where you want it'],
  [all, null, 'All done'],
] as const)('steps %j: next is %s, "%s"', (steps, next, text) => {
  const progress = progressOf(steps);
  expect(progress.next).toBe(next);
  expect(progressText(progress)).toBe(text);
});
