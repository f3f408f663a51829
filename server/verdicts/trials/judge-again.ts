import type { Ctx } from '../../platform';
import { loadTurns, turnKey } from '../../ingest';
import { asVerified } from '../rule-sources';
import { createRunSource } from '../subjects/run-setting';
import { slowReach } from '../subjects/decide-subject';
import type { SubjectDeps } from '../subjects/subject-deps';
import { decideItem } from '../verify';
import { turnItem } from '../work-items';
import { asWork, type TryResult, triedVerdict, trySubject } from './try-subject';

/** A subject with the hash of its content. */
export interface JudgeAgain {
  readonly projectId: string;
  /** The verifier's slug. */
  readonly verifier: string;
  /** `turn`, or the stored name of the kind's subjects. */
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly contentHash: string;
  /** The recorded purpose of the model calls, before the name of the calling node. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** `left_out`: the subject is no longer stored, or has changed. */
export type JudgedAgain = TryResult | { readonly state: 'left_out'; readonly reason: string };

const gone = { state: 'left_out', reason: 'it is no longer stored' } as const;
const changed = { state: 'left_out', reason: 'its content has changed' } as const;

/**
 * Judges a turn or another stored subject with its current verifier, and stores nothing but the
 * model calls: no verdict, no cached judgement, no delivery, no spending.
 * @throws Error for an unknown verifier; on storage faults, and on content that this release cannot
 * read
 */
export async function judgeAgain(
  ctx: Ctx,
  deps: SubjectDeps,
  input: JudgeAgain,
): Promise<JudgedAgain> {
  if (input.subjectKind === 'turn') return turnAgain(ctx, deps, input);
  const { projectId, verifier, subjectKind, subjectId, contentHash, purpose, signal } = input;
  const [stored] = await ctx.sql<{ content_hash: string }[]>`
    select content_hash from subjects where project_id = ${projectId} and kind = ${subjectKind} and id = ${subjectId}`;
  if (stored === undefined) return gone;
  if (stored.content_hash !== contentHash) return changed;
  return trySubject(ctx, deps, { projectId, verifier, subjectId, pinned: null, purpose, signal });
}

async function turnAgain(ctx: Ctx, deps: SubjectDeps, input: JudgeAgain): Promise<JudgedAgain> {
  const { projectId, verifier, subjectId, contentHash, purpose, signal } = input;
  const kind = deps.kinds.get(verifier);
  if (kind?.fromTurn === undefined) throw new Error(`no verifier of turns "${verifier}"`);
  const turns = await loadTurns(ctx, [{ projectId, subjectId }]);
  const turn = turns.get(turnKey(projectId, subjectId))?.();
  if (turn === undefined) return gone;
  if (turn.contentHash !== contentHash) return changed;
  const work = {
    ...asWork(ctx, { projectId, verifier, subjectKind: 'turn', subjectId }),
    revision: turn.revision,
  };
  const ask = deps.askFor({ projectId, verdictId: null });
  const end = await decideItem(ctx, {
    work,
    item: turnItem(work, await asVerified(ctx, turn, verifier)),
    kind,
    runs: createRunSource(ctx, deps),
    slow: slowReach(deps, (request) =>
      ask({ ...request, purpose: `${purpose}: ${request.purpose}` }),
    ),
    signal,
    isTrial: true,
  });
  if (end.state === 'slow') throw new Error('a trial has no slow lane');
  if (end.state === 'no_subject') throw new Error(`nothing to verify: ${end.reason}`);
  return end.state === 'blocked'
    ? { state: 'blocked', reason: end.reason }
    : triedVerdict(end.settlement);
}
