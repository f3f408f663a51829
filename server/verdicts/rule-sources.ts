import { withNamedSources } from '../evaluators/sources';
import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';
import { findSendingRule, loadRuleSources, type SourcesOfWork } from '../rules';
import type { StoredTurn } from '../ingest';

/**
 * The turn, with the parts of its messages that its rule names as sources. @throws Error like
 * `SourcesOfWork`
 */
export function withRuleSources<T extends StoredTurn>(
  turn: T,
  work: Pick<ClaimedWork, 'projectId' | 'rule'>,
  sourcesOf: SourcesOfWork,
): T {
  const sources = sourcesOf(work);
  return sources === null ? turn : { ...turn, content: withNamedSources(turn.content, sources) };
}

/** A turn as its verifier would read it now. @throws Error like `SourcesOfWork` */
export async function asVerified<T extends StoredTurn>(
  ctx: Pick<Ctx, 'sql'>,
  turn: T,
  verifier: string,
): Promise<T> {
  const { projectId, id: subjectId } = turn;
  const work = { projectId, rule: await findSendingRule(ctx, { projectId, subjectId, verifier }) };
  return withRuleSources(turn, work, await loadRuleSources(ctx, [work]));
}
