import { measureVerifiers } from '../../server/measures';
import { listModelDays } from '../../server/verdicts';
import { runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { RowMaker } from '../run';
import { calling } from './calls';
import { generate, rowsWanted } from './generate';

/** D4: the cost of a dashboard on all rows, and on a tenth of them. */
export const d4: RowMaker = {
  name: 'D4',
  async make(stage, settings) {
    const rows = rowsWanted(settings);
    const [large, small] = [
      await generate(stage, settings, rows),
      await generate(stage, settings, rows / 10),
    ];
    const calls = settings.smoke ? 3 : 100;
    const measured = await runRounds(
      'D4',
      [large, small].flatMap((each) => [
        calling(`days ${each.rows}`, calls, () => listModelDays(each.project)),
        calling(`measures ${each.rows}`, calls, () =>
          measureVerifiers(each.project, { from: each.from }),
        ),
      ]),
      settings,
    );
    const times = (figure: string, name: string): Row =>
      compare({
        figure: `D4 ${figure}, p50, ${rows.toLocaleString('en')} verdicts against a tenth of them`,
        unit: 'ms',
        assayValues: measured(`${name} ${large.rows}`, 'p50'),
        floor: measured(`${name} ${small.rows}`, 'p50'),
        goal: { max: 1.2 },
      });
    return [times('pass rate by model and day', 'days'), times('all measures', 'measures')];
  },
};
