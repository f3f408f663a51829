/**
 * bench:integrity (data/README.md, "Numeric integrity"): how many wrong figures are caught, and how many right ones are flagged, by the
 * naive rule, by Assay and by the recorded GPT-4 annotations, on the very same list of figures. `--json`, `--save`; it needs no service.
 */
import { tuneClues } from './integrity/clues';
import { hasData } from './integrity/data';
import { judgeGenerated, judgeQuintd, judgeSummedits, judgeTau } from './integrity/measure';
import { faults } from '../testing/integrity/generator';
import { type JudgedSet, ratesTable, reportRows } from './integrity/rows';
import { machine, type Report, save, table } from './report';

if (!hasData()) {
  process.stderr.write('bench:integrity needs the evaluation data (ASSAY_DATA); it is not there, and nothing was measured\n');
  process.exit(1);
}
const args = process.argv.slice(2);
const spans = ['naive', 'assay', 'gpt4'] as const;
const plain = ['naive', 'assay'] as const;
const quintd = async (name: string, gpt4Goal: number, falseAlarmGoal: number, shortfall?: string): Promise<JudgedSet> => ({
  name,
  judged: await judgeQuintd(name),
  contenders: spans,
  gpt4Goal,
  catchGoal: null,
  falseAlarmGoal,
  ...(shortfall === undefined ? {} : { shortfall }),
});
/** All alarms were read: 7 years and a century that stand nowhere in the source, and that people found true by what they know. */
const wikidataShortfall = 'every alarm is a year or a century that stands nowhere in the source: INT-1 marks it, true or not';
const summaries = await judgeSummedits(false);
const none = { gpt4Goal: null, catchGoal: null, falseAlarmGoal: null };
const sets: readonly JudgedSet[] = [
  await quintd('openweather', 0.17, 0.15),
  await quintd('owid', 0.39, 0.15),
  await quintd('wikidata', 0.18, 0.25, wikidataShortfall),
  { ...none, name: 'summedits, changed numbers', judged: summaries, contenders: plain, catchGoal: 0.8, falseAlarmGoal: 0.06 },
  { ...none, name: 'summedits, ectsum', judged: summaries.filter(({ domain }) => domain === 'ectsum'), contenders: plain },
  { ...none, name: 'summedits, sales_email', judged: summaries.filter(({ domain }) => domain === 'sales_email'), contenders: plain },
  { ...none, name: 'summedits, all summaries', judged: await judgeSummedits(true), contenders: plain },
  { ...none, name: 'tau airline', judged: await judgeTau(), contenders: plain },
];
const generated = await Promise.all(
  faults.map(async (fault): Promise<JudgedSet> => {
    const judged = await judgeGenerated(fault);
    return { name: `generated, ${fault}`, judged, contenders: plain, gpt4Goal: null, catchGoal: 0.95, falseAlarmGoal: 0.01 };
  }),
);
const rows = [...reportRows([...sets, ...generated])];
const report: Report = {
  bench: 'integrity',
  measured: `Measured ${new Date().toISOString().slice(0, 10)} on ${machine()}; rates with 95 % Wilson intervals, floor: the naive rule, peer: recorded GPT-4 annotations. The rules were written by looking at the sources of even position first; odd ones were looked at late.`,
  rows,
};
if (args.includes('--save')) save(report);
if (args.includes('--json')) process.stdout.write(`${JSON.stringify(report)}\n`);
else {
  const folds = tuneClues().map(
    ({ tunedOn, left, lines }) =>
      `Clues chosen on ${tunedOn} sources leave out: ${left.length === 0 ? 'none' : left.join(', ')}\n  ${lines.join('\n  ')}`,
  );
  process.stdout.write(`${ratesTable(sets)}\n\n${table(rows)}\n\nTwo-fold choice of clues:\n${folds.join('\n')}\n`);
}
