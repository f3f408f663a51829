import type { ProjectCtx } from '../../access';
import { prepareTurn, type PreparedTurn, type TurnWriter } from '../../ingest';
import { createMasker, maskJson, type MaskBook, startPaths } from '../../masking';
import { sha256, unavailable } from '../../platform';
import { outputTurnId, verdictSeed } from './experiment';
import { outputTurn, type RunOutput } from './output-turn';
import type { RunRow } from './run-rows';

export interface OutputDeps {
  readonly writer: TurnWriter;
  readonly masks: MaskBook;
}

export interface OutputRow {
  readonly experimentId: string;
  readonly verifiers: readonly string[];
  /** Those of them that call a model in any case. */
  readonly judges?: ReadonlySet<string>;
  readonly row: RunRow;
}

/**
 * Stores an output as a turn of the experiment, masked like any turn, with the work of its
 * verifiers. `differs`: the row has another output already.
 * @throws AssayError invalid_request (the turn cannot be stored as is), unavailable
 */
export async function storeOutput(
  ctx: ProjectCtx,
  { writer, masks }: OutputDeps,
  { experimentId, verifiers, judges, row }: OutputRow,
  output: RunOutput,
): Promise<'stored' | 'differs'> {
  const { ordinal, repetition, item } = row;
  const text = outputTurn(
    { turnId: outputTurnId(experimentId, ordinal), experimentId, repetition, item },
    output,
  );
  const turn = await maskedTurn(ctx, masks, text);
  const planned = {
    verdicts: verifiers.map((verifier) => ({
      verdictId: `ver_${sha256(verdictSeed(experimentId, ordinal, verifier)).slice(0, 26)}`,
      verifier,
      rule: null,
      delaySeconds: 0,
      ...(judges?.has(verifier) === true && { lane: 'slow' as const }),
    })),
    decisions: [],
  };
  const { projectId } = ctx;
  const [result] = await writer.write([
    { projectId, turn, origin: 'experiment', experimentId, planned, owner: null },
  ]);
  if (result?.state === 'inserted' || result?.state === 'duplicate') return 'stored';
  if (result?.state === 'differs') return 'differs';
  throw unavailable('the output was not stored; send it again');
}

async function maskedTurn(ctx: ProjectCtx, masks: MaskBook, text: string): Promise<PreparedTurn> {
  const options = { now: ctx.clock.now(), idSeed: null };
  const bytes = Buffer.from(text);
  const rules = await masks.read(ctx.projectId);
  if (rules === null) return prepareTurn(bytes, true, options);
  const masker = createMasker(rules);
  const masked = maskJson(bytes, { masker, states: startPaths(rules.paths, null) });
  masks.note(ctx.projectId, masker.counts);
  return prepareTurn(masked, true, options);
}
