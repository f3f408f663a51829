import type { Episode } from '../../domain';
import type { VerifyDeps, TurnPrompts } from './deps';
import type { DueAnswer } from './episode';
import { scanAnswer } from './scan-answer';

const LOOK_MS = 120_000;
const SCAN_MS = 10_000;

/**
 * What steering did, found out behind the answer: the verifier looks at what was delivered, by the
 * prompts of the first look, and the figures of both answers are held against the turn's sources.
 * In a control the delivered answer is the first one, so that one sees how often a verifier says
 * otherwise the second time. It counts for no breaker and no session. Never throws.
 */
export async function recheck(
  deps: VerifyDeps,
  due: DueAnswer,
  found: {
    readonly prompts: TurnPrompts;
    readonly verificationId: string;
    readonly episode: Episode;
    readonly delivered: string;
  },
): Promise<Episode> {
  const { episode, delivered } = found;
  const { steer } = episode;
  if (steer === null) return episode;
  try {
    const after =
      delivered.trim() === ''
        ? null
        : await deps.askVerifier({
            request: due.request,
            prompts: found.prompts,
            messages: due.read?.messages ?? [],
            completion: delivered,
            verdictId: found.verificationId,
            purpose: 'turn verifier, second look',
            deadlineMs: LOOK_MS,
            signal: new AbortController().signal,
          });
    const before = await countUnsourced(deps, due, due.completion);
    const now = delivered === due.completion ? before : await countUnsourced(deps, due, delivered);
    return {
      ...episode,
      steer: { ...steer, after, unsourced_before: before, unsourced_after: now },
    };
  } catch (error) {
    deps.log.error({ err: error, call: due.request.id }, 'a second look broke');
    return episode;
  }
}

/** Figures without a source; null where integrity is off, or the scan gave no verdict. */
async function countUnsourced(
  deps: VerifyDeps,
  { request }: DueAnswer,
  output: string,
): Promise<number | null> {
  const { project, settings } = request.route;
  if (project.integrityOff || settings.integrity.mode === 'off') return null;
  const answer = { request, output, envelope: null, repromptUsed: false };
  const scanned = await scanAnswer(deps, answer, SCAN_MS);
  return scanned.state === 'done' ? scanned.detail.unsourced : null;
}
