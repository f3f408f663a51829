import type { ProjectCtx } from '../../access';
import type { JobError } from '../../queue';
import type { TurnWriter } from '../intake/commit';
import type { PlanTurns } from '../intake/plan-turns';
import type { PreparedTurn } from '../intake/prepare';
import { ingestPrepared } from '../intake/ingest-turns';
import type { ImportedPipeline, RowImport } from './imported-row';
import { type LabelOf, type ScoreOf, type StoreLabels, storeScores } from './store-judgements';
import { storePipelines } from './store-pipelines';

export interface ImportResult {
  readonly turns: {
    readonly accepted: number;
    readonly duplicates: number;
    readonly conflicts: number;
  };
  readonly labels: { readonly accepted: number; readonly duplicates: number };
  readonly scores: {
    readonly accepted: number;
    readonly duplicates: number;
    readonly unparseable: number;
  };
  /** Only where the mapping reads rows as pipelines. */
  readonly pipelines?: { readonly accepted: number; readonly duplicates: number };
  /** Rows, and items of rows, that were rejected in whole or in part. */
  readonly rejected: number;
}

/** Buffered turns are stored at this many characters. */
const batchChars = 4 * 1024 * 1024;

export interface ImportDeps {
  readonly writer: TurnWriter;
  readonly planTurns: PlanTurns;
  readonly storeLabels: StoreLabels;
}

export interface ImportBatch {
  readonly errors: readonly JobError[];
  add(imported: RowImport, line: number): Promise<void>;
  /** Stores the rest, and returns the counts including earlier ones. */
  end(): Promise<ImportResult>;
}

/**
 * Collects the content of rows and stores it in parts: turns first, then their labels and
 * judgements.
 */
export function createBatch(
  ctx: ProjectCtx,
  deps: ImportDeps,
  by: string,
  before: ImportResult,
): ImportBatch {
  let result = before;
  let turns: { readonly turn: PreparedTurn; readonly line: number }[] = [];
  let labels: LabelOf[] = [];
  let scores: ScoreOf[] = [];
  let pipelines: ImportedPipeline[] = [];
  let chars = 0;
  const errors: JobError[] = [];
  const reject = (line: number, message: string): void => {
    errors.push({ line, message });
    result = { ...result, rejected: result.rejected + 1 };
  };
  async function flush(): Promise<void> {
    const taken = await ingestPrepared(ctx, deps.writer, {
      turns: turns.map(({ turn }) => turn),
      planTurns: deps.planTurns,
      origin: 'import',
    });
    for (const { at, message } of taken.refused) reject(turns[at]?.line ?? 0, message);
    // Labels and judgements of a deleted turn must not be restored without it.
    const deletedIds = new Set(
      taken.refused.flatMap(({ at, deleted }) => (deleted ? [turns[at]?.turn.id] : [])),
    );
    labels = labels.filter(({ subjectId }) => !deletedIds.has(subjectId));
    scores = scores.filter(({ subjectId }) => !deletedIds.has(subjectId));
    const newPipelines = await storePipelines(ctx, pipelines);
    const newLabels = await deps.storeLabels(ctx, by, labels);
    const newScores = await storeScores(ctx, scores);
    result = {
      ...result,
      turns: addTurns(result.turns, taken),
      labels: tally(result.labels, labels.length, newLabels),
      scores: {
        ...tally(result.scores, scores.length, newScores),
        unparseable: result.scores.unparseable + scores.filter(({ score }) => score.unread).length,
      },
      ...(result.pipelines === undefined
        ? {}
        : { pipelines: tally(result.pipelines, pipelines.length, newPipelines) }),
    };
    turns = [];
    labels = [];
    scores = [];
    pipelines = [];
    chars = 0;
  }
  return {
    errors,
    async add(imported, line) {
      if (imported.kind === 'error') reject(line, imported.message);
      else if (imported.kind === 'label') labels.push(imported);
      else if (imported.kind === 'score') scores.push(imported);
      else if (imported.kind === 'pipeline') pipelines.push(imported.pipeline);
      else {
        turns.push({ turn: imported.turn, line });
        chars += imported.turn.payload.length;
        if (chars > batchChars) await flush();
      }
    },
    async end() {
      await flush();
      return result;
    },
  };
}

const addTurns = (
  before: ImportResult['turns'],
  taken: ImportResult['turns'],
): ImportResult['turns'] => ({
  accepted: before.accepted + taken.accepted,
  duplicates: before.duplicates + taken.duplicates,
  conflicts: before.conflicts + taken.conflicts,
});

interface Tally {
  readonly accepted: number;
  readonly duplicates: number;
}

/** `before` plus `sent` more, of which `stored` are new. */
const tally = (before: Tally, sent: number, stored: number): Tally => ({
  accepted: before.accepted + stored,
  duplicates: before.duplicates + sent - stored,
});
