import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/data-dir.mjs';

/**
 * The recorded verdicts of 12 binary judges on 448 answers with an expert's label (judge-binary-realmistake of the shared data), imported
 * as anybody would import them, and GET /v1/metrics/verifiers beside the numbers that a correct calculation gives. `verdicts` has four
 * letters a judge, one for each prompt; the first is meant. The judged answers are not in the file: a turn has its task in their place.
 */
const judgedFile = 'judge-binary-realmistake';

const Expected = z.object({
  [judgedFile]: z.object({
    judges_prompt1: z.record(
      z.string(),
      z.object({
        catch_rate: z.number(),
        false_positive_rate: z.number(),
        agreement: z.number(),
        kappa: z.number(),
        unparseable: z.number(),
      }),
    ),
  }),
});

const Measured = z.object({ value: z.number().nullable() });
const Reply = z.object({
  data: z.array(
    z.object({
      verifier: z.string(),
      kind: z.string(),
      catch_rate: Measured,
      false_rejection_rate: Measured,
      agreement: Measured,
      kappa: Measured,
      unparseable: z.number(),
    }),
  ),
});

export interface Compared {
  readonly judge: string;
  readonly figure: 'catch rate' | 'false rejections' | 'agreement' | 'kappa' | 'unparseable';
  /** To the fourth decimal, as the expected numbers are written; null where Assay has none. */
  readonly ours: string | null;
  readonly expected: string;
}

/** How the check speaks to Assay. */
export interface Door {
  /** Sends the file with a mapping and waits until its job is done. @throws Error with the job's reason */
  takeIn(file: Buffer, mapping: Readonly<Record<string, unknown>>): Promise<void>;
  /** The JSON answer of a GET. */
  read(path: string): Promise<unknown>;
}

/** Null where the shared data is not there. */
export function findFiles(): { readonly rows: string; readonly expected: string } | null {
  const folder = resolve(root, process.env.ASSAY_DATA ?? '../shared/data');
  const files = { rows: join(folder, `${judgedFile}.jsonl`), expected: join(folder, 'expected.json') };
  return existsSync(files.rows) && existsSync(files.expected) ? files : null;
}

/** Imports every judge's verdicts and compares all figures. */
export async function compareJudges(door: Door, files: { readonly rows: string; readonly expected: string }): Promise<Compared[]> {
  const { judges_prompt1: expected } = Expected.parse(JSON.parse(readFileSync(files.expected, 'utf8')))[judgedFile];
  const rows = readFileSync(files.rows);
  for (const judge of Object.keys(expected)) {
    await door.takeIn(rows, {
      format: 'jsonl',
      id: 'id',
      output: 'task',
      model: 'response_model',
      human_label: 'human_label',
      rater: { const: 'expert' },
      judge: { const: judge },
      judge_verdict: `verdicts[${JSON.stringify(judge)}][0]`,
      pass_values: ['N', 'no_error'],
      fail_values: ['E', 'error'],
      unparseable_as: 'pass',
    });
  }
  const { data } = Reply.parse(await door.read('/v1/metrics/verifiers'));
  const found = new Map(data.filter(({ kind }) => kind === 'imported').map((each) => [each.verifier, each]));
  return Object.entries(expected).flatMap(([judge, wanted]): Compared[] => {
    const ours = found.get(judge);
    return [
      { judge, figure: 'catch rate', ours: decimal(ours?.catch_rate.value), expected: wanted.catch_rate.toFixed(4) },
      // The data's "false-positive rate" is of the good ones: what the product calls false rejections.
      {
        judge,
        figure: 'false rejections',
        ours: decimal(ours?.false_rejection_rate.value),
        expected: wanted.false_positive_rate.toFixed(4),
      },
      { judge, figure: 'agreement', ours: decimal(ours?.agreement.value), expected: wanted.agreement.toFixed(4) },
      { judge, figure: 'kappa', ours: decimal(ours?.kappa.value), expected: wanted.kappa.toFixed(4) },
      { judge, figure: 'unparseable', ours: ours === undefined ? null : String(ours.unparseable), expected: String(wanted.unparseable) },
    ];
  });
}

function decimal(value: number | null | undefined): string | null {
  return value == null ? null : value.toFixed(4);
}
