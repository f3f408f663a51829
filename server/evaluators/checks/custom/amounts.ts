import { z } from 'zod';
import { stepKinds } from '../../../domain';
import { rangeFinding, rangeProblems, describeRange } from './compare';
import { defineSubjectCheck, type CustomCheck } from './definition';

/** Checks of a subject's cost: inclusive ranges with at least one bound. */

const amount = z.number().min(0).max(1e15);
const count = z.number().int().min(0).max(1e15);

function range(of: z.ZodNumber, unit: string) {
  return {
    min: of.optional().describe(`Least, ${unit}. \`min\` or \`max\` is required.`),
    max: of.optional().describe(`Most, ${unit}.`),
  };
}

export const latencyMs: CustomCheck = defineSubjectCheck({
  name: 'latency_ms',
  meaning: 'The duration is in the range.',
  needs: 'the duration of the subject (`latency_ms`)',
  members: range(amount, 'in milliseconds'),
  example: { max: 5_000 },
  problems: rangeProblems,
  title: (given) => `Latency of ${describeRange(given)} ms`,
  prepare:
    (given) =>
    ({ latency_ms: latency }) =>
      latency === null
        ? { unscored: 'the subject has no latency' }
        : rangeFinding('the latency in ms', latency, given),
});

export const costUsd: CustomCheck = defineSubjectCheck({
  name: 'cost_usd',
  meaning: 'The cost is in the range.',
  needs: 'the cost of the subject (`cost_usd`)',
  members: range(amount, 'in US dollars'),
  example: { max: 0.02 },
  problems: rangeProblems,
  title: (given) => `Cost of ${describeRange(given)} US dollars`,
  prepare:
    (given) =>
    ({ cost_usd: cost }) =>
      cost === null
        ? { unscored: 'the subject has no cost' }
        : rangeFinding('the cost in US dollars', cost, given),
});

export const tokens: CustomCheck = defineSubjectCheck({
  name: 'tokens',
  meaning: 'The number of tokens is in the range.',
  needs: 'the tokens of the subject (`tokens`)',
  members: {
    of: z.enum(['total', 'input', 'output']).default('total').describe('Which tokens.'),
    ...range(count, 'in tokens'),
  },
  example: { of: 'output', max: 800 },
  problems: rangeProblems,
  title: ({ of, min, max }) => `${describeRange({ min, max })} ${of} tokens`,
  prepare:
    ({ of, min, max }) =>
    ({ tokens: { input, output } }) => {
      const total = input === null || output === null ? null : input + output;
      const used = { total, input, output }[of];
      return used === null
        ? { unscored: `the number of ${of} tokens is unknown` }
        : rangeFinding(`the number of ${of} tokens`, used, { min, max });
    },
});

/** `step_count`: the number of steps of a trace. */
export const stepCount: CustomCheck = defineSubjectCheck({
  name: 'step_count',
  meaning: 'The number of steps is in the range.',
  needs: 'the steps of a trace (`steps`)',
  members: {
    kind: z.enum(stepKinds).optional().describe('Counts steps of one kind. Default: all.'),
    ...range(count, 'in steps'),
  },
  example: { kind: 'tool', max: 8 },
  problems: rangeProblems,
  title: ({ kind, min, max }) =>
    `${describeRange({ min, max })} ${kind === undefined ? 'steps' : `steps of kind ${kind}`}`,
  prepare:
    ({ kind, min, max }) =>
    (subject) => {
      const steps = 'turns' in subject ? subject.turns.flatMap((turn) => turn.steps) : [];
      const all = subject.steps.length > 0 ? subject.steps : steps;
      if (all.length === 0) return { unscored: 'the subject has no steps' };
      const counted = kind === undefined ? all : all.filter((step) => step.kind === kind);
      return rangeFinding('the number of steps', counted.length, { min, max });
    },
});
