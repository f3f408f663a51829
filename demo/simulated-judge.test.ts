import { describe, expect, it } from 'vitest';
import { criteria, makeTasks, type TaskFault } from './make-tasks.mjs';
import { errsOn, scoreReport } from './simulated-judge.mjs';

/** Scores that the simulated judge gives to 600 reports, next to the faults planted in them. */

const machine = {
  disk: { host: 'this-machine', disk_pct: 41.3, free_gib: 120.4 },
  memory: {},
  load: {},
};
const reports = makeTasks({ run: 'r', count: 600, seed: 7, faultRate: 0.25, machine }).map(
  ({ fault, body }) => {
    const output = String(body.task_output);
    const scores = scoreReport(output, JSON.stringify(body.shared_context));
    const of = (text: string): number => scores.get(text) ?? Number.NaN;
    const [figures, owner, date] = [of(criteria.figures), of(criteria.owner), of(criteria.date)];
    const mean = ((2 * figures + owner + 3 * date) / 6 - 1) / 4;
    return { fault, errs: errsOn(output), figures, owner, date, mean };
  },
);
const honest = reports.filter(({ errs }) => !errs);

describe('scoreReport', () => {
  it.each<[TaskFault, 'figures' | 'owner' | 'date']>([
    ['wrong_figure', 'figures'],
    ['no_owner', 'owner'],
    ['no_date', 'date'],
  ])('X-1 scores work with %s by degrees, and all else as met', (fault, spoiled) => {
    const spoiledBy = honest.filter((each) => each.fault === fault);
    expect(new Set(spoiledBy.map((each) => each[spoiled])).size).toBeGreaterThan(8);
    expect(Math.max(...spoiledBy.map((each) => each[spoiled]))).toBeLessThanOrEqual(4.2);
    const sound = honest.filter((each) => each.fault !== fault).map((each) => each[spoiled]);
    expect(Math.min(...sound)).toBeGreaterThanOrEqual(spoiled === 'date' ? 2.6 : 3.8);
  });

  it('X-1 gives plain scores of the opposite where it errs', () => {
    const errors = reports.filter(({ errs }) => errs);
    expect(errors.length / reports.length).toBeCloseTo(0.1, 1);
    for (const { fault, figures, owner, date } of errors)
      expect([figures, owner, date]).toEqual(
        fault === null || fault === 'missing_section' ? [5, 1, 5] : [5, 5, 5],
      );
  });

  it('SOAR-33 good and bad work overlap around the thresholds, with the good mostly high', () => {
    const [good, bad] = [true, false].map((isGood) =>
      honest
        .filter(({ fault }) => fault !== 'missing_section' && (fault === null) === isGood)
        .map(({ mean }) => mean),
    );
    const share = (means: readonly number[] = [], from: number, to: number): number =>
      means.filter((mean) => mean >= from && mean < to).length / means.length;
    expect(share(good, 0.8, 1.01)).toBeGreaterThan(0.7);
    expect(share(good, 0.55, 0.8)).toBeGreaterThan(0.05);
    expect(share(bad, 0.55, 0.9)).toBeGreaterThan(0.5);
    expect(new Set(good).size).toBeGreaterThan(50);
  });
});
