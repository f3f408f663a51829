import type { ProjectCtx } from '../../access';
import { weightOfSums } from '../../verdicts';
import type { ImportedJudge, ImportedMeasures, PeopleAgreement } from './imported';
import type { ImportedWanted } from './imported-input';
import {
  type Form,
  type JudgedRow,
  type RatedRow,
  readJudged,
  readRated,
  readImportSources,
} from './imported-rows';
import { measureGrades } from './measure-grades';
import { measurePeople } from './measure-people';
import { measureWords } from './measure-words';

/**
 * The accuracy of each imported judge, by the form of its judgements: words (pass and fail, the
 * better of two) or grades; and the agreement between the people who provide the truth.
 * `imported-rows.ts` describes the rule of truth.
 */
export async function measureImportedJudges(
  ctx: ProjectCtx,
  wanted: ImportedWanted,
): Promise<ImportedMeasures> {
  const [judged, rated, sources] = await Promise.all([
    readJudged(ctx, wanted),
    readRated(ctx, wanted),
    readImportSources(ctx),
  ]);
  return {
    judges: groups(judged, ({ judge, dimension, form }) => [judge, dimension, form]).map(judgeOf),
    people: groups(rated, ({ dimension, form }) => [dimension, form]).flatMap(peopleOf),
    sources,
  };
}

/** Groups rows in the order of their first occurrence. */
function groups<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => readonly (string | null)[],
): [Row, ...Row[]][] {
  const found = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    const group = found.get(key);
    if (group === undefined) found.set(key, [row]);
    else group.push(row);
  }
  return [...found.values()];
}

function judgeOf(rows: [JudgedRow, ...JudgedRow[]]): ImportedJudge {
  const [{ judge, dimension, form, measured }] = rows;
  const sum = (of: (row: JudgedRow) => number): number =>
    rows.reduce((before, row) => before + of(row) * row.items, 0);
  const common = {
    judge,
    dimension,
    measured,
    items: sum(() => 1),
    labelled: sum((row) => (truthOf(row) === null ? 0 : 1)),
    noVerdict: sum(
      ({ said }) =>
        said.filter(([, word, grade, unread]) => unread || (word === null && grade === null))
          .length,
    ),
  };
  const weight = weightOfSums('right', rows[0]);
  return form === 'grade'
    ? { ...common, form, ...measureGrades(rows, weight) }
    : { ...common, form, ...measureWords(rows, weight) };
}

const truthOf = ({
  form,
  truth,
  truth_grade: grade,
}: {
  form: Form;
  truth: string | null;
  truth_grade: number | null;
}): string | number | null => (form === 'grade' ? grade : truth);

function peopleOf(rows: [RatedRow, ...RatedRow[]]): PeopleAgreement[] {
  const [{ dimension, form }] = rows;
  const measured = measurePeople(rows);
  return measured === null ? [] : [{ dimension, form, ...measured }];
}
