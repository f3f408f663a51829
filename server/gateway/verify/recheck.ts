import type { AnswerVerification } from '../../domain';
import type { VerificationDeps, TurnPrompts } from './deps';
import type { AnswerToVerify } from './verify-answer';
import { scanAnswer } from './scan-answer';

const RECHECK_MS = 120_000;
const SCAN_MS = 10_000;

/**
 * Measures the effect of steering after delivery: the judge rates the delivered answer with the
 * prompts of the first call, and the figures of both answers are compared with the turn's sources.
 * In a control the delivered answer is the original, which shows how often a verifier changes its
 * mind. Affects neither breakers nor session counters. Never throws.
 */
export async function recheck(
  deps: VerificationDeps,
  input: AnswerToVerify,
  found: {
    readonly prompts: TurnPrompts;
    readonly verificationId: string;
    readonly episode: AnswerVerification;
    readonly delivered: string;
  },
): Promise<AnswerVerification> {
  const { episode, delivered } = found;
  const { steer } = episode;
  if (steer === null) return episode;
  try {
    const after =
      delivered.trim() === ''
        ? null
        : await deps.judge({
            request: input.request,
            prompts: found.prompts,
            messages: input.read?.messages ?? [],
            completion: delivered,
            verdictId: found.verificationId,
            purpose: 'turn verifier, second look',
            deadlineMs: RECHECK_MS,
            signal: new AbortController().signal,
          });
    const before = await countUnsourced(deps, input, input.completion);
    const now =
      delivered === input.completion ? before : await countUnsourced(deps, input, delivered);
    return {
      ...episode,
      steer: { ...steer, after, unsourced_before: before, unsourced_after: now },
    };
  } catch (error) {
    deps.log.error({ err: error, call: input.request.id }, 'a recheck failed');
    return episode;
  }
}

/** Figures without a source; null if integrity is off or the scan returned no verdict. */
async function countUnsourced(
  deps: VerificationDeps,
  { request }: AnswerToVerify,
  output: string,
): Promise<number | null> {
  const { project, settings } = request.route;
  if (project.integrityOff || settings.integrity.mode === 'off') return null;
  const answer = { request, output, envelope: null, repromptUsed: false };
  const scanned = await scanAnswer(deps, answer, SCAN_MS);
  return scanned.state === 'done' ? scanned.detail.unsourced : null;
}
