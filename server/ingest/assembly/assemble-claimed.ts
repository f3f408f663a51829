import { classifyStorageError, type Ctx, storeBisecting, notifyChanged } from '../../platform';
import { type ClaimedWork, dropWork, failWork } from '../../queue';
import { assembleTrace } from './assemble';
import type { AssembledTrace } from './assembled';
import { dropDeleted } from './drop-deleted';
import { loadSpans, type MergedTrace, partBySegments, traceKey } from './load-trace';
import {
  nothingPlanned,
  type PlanTurns,
  type RuleTurn,
  asRuleTurn,
  type PlanTrace,
} from '../intake/plan-turns';
import { prepareTurn, type PreparedTurn } from '../intake/prepare';
import { storeAssembled, type TraceToStore } from './store-assembled';

interface Assemble {
  readonly owner: string;
  readonly planTurns: PlanTurns;
  readonly planTrace: PlanTrace;
}

/**
 * The scope of the spans that Assay exports: its own verdicts are shown and never judged (S-114).
 */
const ownScope = 'assay';

/**
 * Assembles claimed traces: their spans become turns with sources, and the rules plan their
 * verifications. A trace that cannot be read goes back to the queue with the reason (`failWork`)
 * and does not affect the others. Returns the verifications that can run immediately, claimed by
 * `owner`.
 * @throws on storage faults
 */
export async function assembleClaimed(
  ctx: Ctx,
  input: Assemble & { readonly claimed: readonly ClaimedWork[] },
): Promise<ClaimedWork[]> {
  const claimedNow: ClaimedWork[] = [];
  const keyed = input.claimed.map((work) => ({
    projectId: work.projectId,
    traceId: work.subjectId,
    work,
  }));
  for (const part of await partBySegments(ctx, keyed)) {
    const spans = await loadSpans(ctx, part);
    const ready: TraceToStore[] = [];
    for (const { projectId, traceId, work } of part) {
      ctx.budget?.begin(work);
      ctx.budget?.enter('assembling the trace');
      const one = await assembleOne(ctx, input, work, spans.get(traceKey(projectId, traceId)));
      if (one !== null) ready.push(one);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const remaining = await dropDeleted(ctx, input.owner, ready);
    for (const work of await storeOneByOne(ctx, input.owner, remaining)) claimedNow.push(work);
    for (const { work } of ready) notifyChanged(ctx, work.projectId, 'traces');
  }
  return claimedNow;
}

async function assembleOne(
  ctx: Ctx,
  input: Assemble,
  work: ClaimedWork,
  read: (() => Promise<MergedTrace>) | undefined,
): Promise<TraceToStore | null> {
  if (read === undefined) {
    await dropWork(ctx, input.owner, work);
    return null;
  }
  try {
    const { spans, conflict } = await read();
    const trace = assembleTrace(spans.filter((span) => span.scope.name !== ownScope));
    const { turns, refused } = prepareTurns(ctx, trace);
    const planned = await input.planTurns(
      turns.map(({ turn }) => asRuleTurn(work.projectId, turn, 'otlp')),
    );
    return {
      work,
      trace:
        conflict && !trace.flags.includes('conflict')
          ? { ...trace, flags: [...trace.flags, 'conflict'] }
          : trace,
      turns: turns.map((each, at) => ({ ...each, planned: planned[at] ?? nothingPlanned })),
      planned: await input.planTrace(asRulesSee(work, trace, turns)),
      notes: [...trace.notes, ...refused],
    };
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error({ err: error, trace: work.subjectId }, 'a trace could not be assembled');
    await failWork(ctx, input.owner, work, error instanceof Error ? error.message : String(error));
    return null;
  }
}

function asRulesSee(
  { projectId, subjectId }: ClaimedWork,
  trace: AssembledTrace,
  turns: readonly { readonly turn: PreparedTurn }[],
): RuleTurn {
  const last = turns.at(-1)?.turn;
  return {
    projectId,
    id: subjectId,
    sessionId: trace.sessionId,
    traceId: subjectId,
    userId: trace.userId,
    source: trace.service,
    model: last?.model ?? null,
    models: trace.models,
    origin: 'otlp',
    tags: trace.tags,
    metadata: last?.metadata ?? {},
    hasSources: turns.some(({ turn }) => turn.hasSources),
    answerChars: last?.answerChars ?? 0,
  };
}

type Note = AssembledTrace['notes'][number];

function prepareTurns(
  ctx: Ctx,
  trace: AssembledTrace,
): { turns: { spanId: string; turn: PreparedTurn }[]; refused: Note[] } {
  const turns: { spanId: string; turn: PreparedTurn }[] = [];
  const refused: Note[] = [];
  for (const { spanId, payload, usage } of trace.turns) {
    try {
      const turn = prepareTurn(Buffer.from(payload), true, {
        now: ctx.clock.now(),
        idSeed: spanId,
      });
      turns.push({ spanId, turn: { ...turn, usage: usage.byModel } });
    } catch (error) {
      refused.push({
        spanId,
        reason: `no turn was created from it: ${error instanceof Error ? error.message : String(error)}`,
      });
    }
  }
  return { turns, refused };
}

/** A trace whose data PostgreSQL refuses does not fail the others. @throws on storage faults */
async function storeOneByOne(
  ctx: Ctx,
  owner: string,
  traces: readonly TraceToStore[],
): Promise<ClaimedWork[]> {
  const planned: ClaimedWork[] = [];
  await storeBisecting(
    traces,
    async (part) => void planned.push(...(await storeAssembled(ctx, owner, part))),
    ({ work }, error) =>
      failWork(
        ctx,
        owner,
        work,
        `it cannot be stored: ${error instanceof Error ? error.message : String(error)}`,
      ),
  );
  return planned;
}
