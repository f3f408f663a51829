import type { Row } from '../row';
import { type Contender, type Half, halves, type Judged, measure, type Measured } from './measure';
import type { Rate } from './rates';

/** One data set, judged by all contenders. */
export interface JudgedSet {
  readonly name: string;
  readonly judged: readonly Judged[];
  readonly contenders: readonly Contender[];
  /**
   * Catch minus false-positive rate of the recorded GPT-4 annotations, as published for this set.
   */
  readonly gpt4Goal: number | null;
  readonly catchGoal: number | null;
  readonly falseAlarmGoal: number | null;
  /** The reason why a goal is missed, if the data explains it. */
  readonly shortfall?: string;
}

const names: Readonly<Record<Contender, string>> = {
  naive: 'naive rule',
  assay: 'Assay',
  gpt4: 'GPT-4 (recorded)',
};

/** A table for people: both rates with their intervals, for the whole and for each half. */
export function ratesTable(sets: readonly JudgedSet[]): string {
  const lines = sets.flatMap(({ name, judged, contenders }) =>
    halves.flatMap((half) =>
      contenders.map((contender) => {
        const { catch: caught, falseAlarms, net } = measure(judged, contender, half);
        return `| ${[name, half, names[contender], rateText(caught), rateText(falseAlarms), `${fixed(net.value)} [${fixed(net.low)}, ${fixed(net.high)}]`].join(' | ')} |`;
      }),
    ),
  );
  return [
    '| set | sources | rule | catch [95 %] | false positives [95 %] | catch − fpr [95 %] |',
    `|${' --- |'.repeat(6)}`,
    ...lines,
  ].join('\n');
}

/** The saved rows: floor is the naive rule, peer the recorded GPT-4. */
export function reportRows(sets: readonly JudgedSet[]): readonly Row[] {
  return sets.flatMap((set) => {
    const whole = (contender: Contender): Measured => measure(set.judged, contender, 'whole');
    const assayRates = whole('assay');
    const naive = whole('naive');
    const gpt4 = set.contenders.includes('gpt4') ? whole('gpt4') : null;
    const row = (
      title: string,
      value: (measured: Measured) => number,
      interval: { low: number; high: number },
    ): Row => ({
      figure: `${set.name}: ${title}`,
      unit: 'share',
      floor: round(value(naive)),
      peer: gpt4 === null ? null : round(value(gpt4)),
      assay: round(value(assayRates)),
      ratio: null,
      low: round(interval.low),
      high: round(interval.high),
      goal: '-',
      met: null,
      note: halfNote(set.judged, value),
    });
    const falseAlarms = judgedRow(
      row('false positives', (each) => each.falseAlarms.rate, assayRates.falseAlarms),
      assayRates.falseAlarms.rate,
      set.falseAlarmGoal,
      'most',
    );
    if (Number.isNaN(assayRates.catch.rate))
      return [
        { ...falseAlarms, figure: `${set.name}: share of figures flagged, nobody labelled them` },
      ];
    const net = row('catch - false positives', (each) => each.net.value, assayRates.net);
    const goal = set.gpt4Goal === null ? null : Math.max(set.gpt4Goal, naive.net.value);
    return [
      judgedRow(
        row('catch', (each) => each.catch.rate, assayRates.catch),
        assayRates.catch.rate,
        set.catchGoal,
        'least',
      ),
      set.shortfall === undefined
        ? falseAlarms
        : { ...falseAlarms, note: `${falseAlarms.note}; ${set.shortfall}` },
      goal === null ? net : { ...net, goal: `> ${round(goal)}`, met: assayRates.net.value > goal },
    ];
  });
}

function judgedRow(row: Row, exact: number, goal: number | null, sense: 'least' | 'most'): Row {
  if (goal === null) return row;
  const met = sense === 'least' ? exact >= goal : exact <= goal;
  return { ...row, goal: `${sense === 'least' ? '>=' : '<='} ${goal}`, met };
}

function halfNote(judged: readonly Judged[], value: (measured: Measured) => number): string {
  const of = (half: Half): string => fixed(value(measure(judged, 'assay', half)));
  return `even sources ${of('even')}, odd ${of('odd')}`;
}

function rateText({ hits, of, rate, low, high }: Rate): string {
  return of === 0 ? '-' : `${hits}/${of} = ${fixed(rate)} [${fixed(low)}, ${fixed(high)}]`;
}

function fixed(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
