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

test('every step of the server has its place in the list', () => {
  expect([...setupSteps].sort()).toEqual(Object.keys(stepText).sort());
});

test.each([
  [none, 'key', '0 of 6 done'],
  // Optional steps are skipped.
  [{ ...none, key: true, trace: true, verdict: true, ruling: true }, 'threshold', '4 of 6 done'],
  // If a step was done in another way, such as a turn sent with an earlier key, the first missing
  // step is next.
  [{ ...none, trace: true, verdict: true }, 'key', '2 of 6 done'],
  [{ ...all, model: false, gateway: false, member: false }, null, 'Done; 3 optional steps left'],
  [{ ...all, member: false }, null, 'Done; 1 optional step left'],
  [all, null, 'All done'],
] as const)('steps %j: next is %s, "%s"', (steps, next, text) => {
  const progress = progressOf(steps);
  expect(progress.next).toBe(next);
  expect(progressText(progress)).toBe(text);
});
