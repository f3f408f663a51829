import type { Report } from './report-content';

type Compared = Pick<Report, 'verifiers' | 'decisions'>;

const integerText = (n: number): string => n.toLocaleString('en');

/**
 * The differences between a later and an earlier report of the same period, in sentences:
 * labels that arrived late, verdicts of new revisions. Compares only counts, since rates follow
 * from them. Pure.
 */
export function differencesOf(before: Compared, after: Compared): string[] {
  const old = new Map(before.verifiers.map((each) => [each.verifier, countsOf(each)]));
  const now = new Map(after.verifiers.map((each) => [each.verifier, countsOf(each)]));
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  const sentences = names.flatMap((name) => {
    const [one, other] = [old.get(name) ?? none, now.get(name) ?? none];
    const parts = counts.flatMap(({ of, noun }) =>
      one[of] === other[of] ? [] : [`${integerText(one[of])} → ${integerText(other[of])} ${noun}`],
    );
    return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}.`];
  });
  return before.decisions.not_run === after.decisions.not_run
    ? sentences
    : [
        ...sentences,
        `Decisions not run: ${integerText(before.decisions.not_run)} → ${integerText(after.decisions.not_run)}.`,
      ];
}

const counts = [
  { of: 'decided', noun: 'decided' },
  { of: 'passed', noun: 'passed' },
  { of: 'caught', noun: 'caught' },
  { of: 'missed', noun: 'missed failures' },
  { of: 'rejected', noun: 'false rejections' },
  { of: 'right', noun: 'correct passes' },
] as const;

type Counts = Record<(typeof counts)[number]['of'], number>;

const none: Counts = { decided: 0, passed: 0, caught: 0, missed: 0, rejected: 0, right: 0 };

function countsOf({ rates, matrix }: Report['verifiers'][number]): Counts {
  return {
    decided: rates.pass_rate.denominator,
    passed: rates.pass_rate.numerator ?? 0,
    caught: matrix.caught,
    missed: matrix.missed,
    rejected: matrix.false_rejections,
    right: matrix.right_passes,
  };
}
