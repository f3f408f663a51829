// Turns made by experiments and their verdicts count in no live number. This test reads the text of
// SQL: every `select` from `verdicts` or `turns` must compare `experiment_id` or `origin` itself, or
// be listed below with a reason. It cannot see a table whose name is a value of another statement
// (server/verdicts/setup/get-setup.ts, server/ingest/models/recount.ts).
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * Reads that include experiments, by file: their number, so that each new one needs a decision, and
 * the reason.
 */
const exempt: readonly (readonly [file: string, reads: number, reason: string])[] = [
  ['server/experiments/datasets/add-from-turns.ts', 1, 'turns by their ids'],
  ['server/ingest/erase.ts', 1, 'deletion'],
  ['server/ingest/intake/store-turn-version.ts', 2, 'one turn that was sent again'],
  ['server/ingest/intake/store-turns.ts', 2, 'one turn that was sent again'],
  ['server/ingest/read/get-turn-page.ts', 1, 'one turn by its id'],
  ['server/ingest/read/get-turn.ts', 5, 'turns by their ids'],
  ['server/ingest/read/list-turns.ts', 1, 'one turn by its id'],
  ['server/ingest/read/marks.ts', 2, 'the verdicts of given turns'],
  ['server/labels/attach-labels.ts', 1, 'verdicts by their ids'],
  ['server/labels/judged.ts', 1, 'verdicts by their ids'],
  ['server/labels/label-subject.ts', 2, 'one subject by its id'],
  ['server/labels/labels-of-verdict.ts', 1, 'one verdict by its id'],
  [
    'server/labels/review/fill-review-queue.ts',
    1,
    'labels are attached to all verdicts; the other steps omit experiments',
  ],
  ['server/labels/review/fill-review-queues.ts', 3, 'as fill-review-queue.ts'],
  ['server/labels/review/get-review-seen.ts', 1, 'one verdict by its id'],
  ['server/labels/review/reserve-items.ts', 2, 'subjects of items of the queue'],
  ['server/labels/take-outcomes.ts', 2, 'verdicts by their ids'],
  ['server/lifecycle/backup/restore-backup.ts', 1, 'whether the database is empty'],
  ['server/lifecycle/deletion/erase.ts', 3, 'deletion'],
  ['server/lifecycle/deletion/find-named.ts', 3, 'deletion'],
  ['server/lifecycle/deletion/request.ts', 2, 'deletion'],
  ['server/lifecycle/export/lines.ts', 1, 'the export has all'],
  ['server/lifecycle/retention/classes.ts', 4, 'retention'],
  ['server/lifecycle/retention/prune.ts', 1, 'retention'],
  ['server/measures/drift/read-drift.ts', 1, 'sessions of the items of an anchor set'],
  ['server/measures/labelled-verdicts-of.ts', 1, 'the select around it decides'],
  ['server/rules/list-decisions.ts', 2, 'subjects of decisions, of which experiments have none'],
  ['server/verdicts/await-verdict.ts', 1, 'one verdict by its id'],
  ['server/verdicts/delete-verdicts.ts', 1, 'deletion'],
  ['server/verdicts/get.ts', 2, 'verdicts by their ids, or those of one turn'],
  ['server/verdicts/list.ts', 1, 'as its filter `experiment` says'],
  ['server/verdicts/pending.ts', 1, 'as the filter `experiment` says, or one by its id'],
  ['server/verdicts/search/find-by-key.ts', 1, 'the last verdict on a subject that was found'],
  ['server/verdicts/settle-superseded.ts', 2, 'other revisions of the same subject'],
  ['server/verdicts/subjects/follow-costs.ts', 1, 'turns of given subjects'],
  ['server/verdicts/subjects/store-subject.ts', 1, 'one subject by its id'],
  ['server/verdicts/summarise.ts', 1, 'the turns of experiments are subtracted'],
  ['server/verdicts/verifiers/find-verdict-subject.ts', 1, 'one verdict by its id'],
];

const named: Readonly<Record<string, RegExp>> = {
  verdicts: /\bexperiment_id\s+(?:=|<>|is|in)/i,
  turns: /\borigin\s+(?:=|<>|is|in)/i,
};
const reads =
  /\b(?:from|join|using)\s+(?:only\s+)?"?(verdicts|turns)\b|,\s*(verdicts|turns)\s+\w+\s+where\b|\b(?:from|join)\s+\$\{sql\([^)]*'(verdicts|turns)'/gi;

/** The outermost template literals of a file, as text. */
function templatesOf(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node)) found.push(node.getText());
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** The text of the parentheses around a place; the whole text if there are none. */
function around(text: string, place: number): string {
  let start = 0;
  for (let depth = 0, at = place - 1; at >= 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(' && depth-- === 0) {
      start = at + 1;
      break;
    }
  }
  let end = text.length;
  for (let depth = 0, at = place; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth-- === 0) {
      end = at;
      break;
    }
  }
  return text.slice(start, end);
}

/** The text without the parts in parentheses that are separate selects. */
function withoutInner(text: string): string {
  const inner = /\(([^()]*)\)/g;
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(inner, (_all, part: string) =>
      /\bselect\b/i.test(part) ? ' ' : ` ${part} `,
    );
  }
  return rest;
}

/** The tables that a statement reads without deciding whether to include experiments. */
function undecided(statement: string): string[] {
  return [...statement.matchAll(reads)].flatMap((match) => {
    const table = (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase();
    const own = withoutInner(around(statement, match.index));
    return named[table]?.test(own) === true ? [] : [table];
  });
}

const root = join(import.meta.dirname, '..');

function sources(): string[] {
  return ['server', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && /(?<!\.test)\.ts$/.test(each.name))
      .map((each) => relative(root, join(each.parentPath, each.name))),
  );
}

test('every read of verdicts or turns decides whether it includes experiments', () => {
  const found = sources().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    if (text.search(reads) === -1) return [];
    const count = templatesOf(file, text).flatMap(undecided);
    return count.length === 0 ? [] : [`${file}: ${count.length}`];
  });
  expect(found.sort()).toEqual(exempt.map(([file, count]) => `${file}: ${count}`).sort());
});

test.each([
  ['select 1 from verdicts where project_id = 1', ['verdicts']],
  ['select (select 1 from turns t where t.id = 1) from a where experiment_id is null', ['turns']],
  [
    'select 1 from verdicts v where exists (select from labels where experiment_id is null)',
    ['verdicts'],
  ],
  ['select origin from turns', ['turns']],
  ["select 1 from ${sql(isTurn ? 'turns' : 'traces')} where id = 1", ['turns']],
  ['select 1 from verdicts v, verdicts me where me.id = 1', ['verdicts', 'verdicts']],
  ['update a set b = 1 from a c join turns t on t.id = c.id where true', ['turns']],
])('the planted read "%s" is found', (statement, tables) => {
  expect(undecided(statement)).toEqual(tables);
});

test.each([
  "select 1 from verdicts v join turns t on (t.id = v.id) where (v.experiment_id is null) and t.origin <> 'experiment'",
  'select 1 from ${ids} as k(id) cross join lateral (select * from verdicts where experiment_id = ${id}) as v',
  'select 1 from verdict_rollups join turns_of on true',
])('the read "%s" is decided', (statement) => {
  expect(undecided(statement)).toEqual([]);
});
