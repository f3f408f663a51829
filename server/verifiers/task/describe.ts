import { describeCheck } from '../../evaluators/checks';
import type { RunSetting } from '../kind';
import type { TaskConfig } from './config';
import type { TaskDetail } from './detail';
import { retryAfterMs } from './feedback';
import type { Measured } from './measured';
import type { TaskSubject } from './subject';
import type { TaskRuling } from './verdict';

/** The member `task` of the verdict, in its API form (VS-3). */
export function detailOf(
  measured: Measured,
  ruling: TaskRuling,
  subject: TaskSubject,
  setting: RunSetting<TaskConfig>,
): TaskDetail {
  const { usage, judgements } = measured;
  const models = [...new Set(judgements.flatMap((each) => each.models))];
  return {
    verdict: ruling.verdict,
    confidence: ruling.confidence,
    aggregate_score: ruling.aggregate,
    criteria_scores: [...measured.checks, ...measured.texts]
      .toSorted((a, b) => a.position - b.position)
      .map(({ criterion, score }) => ({
        criterion:
          'text' in criterion
            ? criterion.text
            : describeCheck({ check: criterion.check, value: criterion.value }),
        score: score?.value ?? null,
        met: score?.met ?? null,
        reasoning: score?.reasoning ?? null,
        weight: criterion.weight,
        must_pass: criterion.must_pass,
      })),
    quality_scores: Object.fromEntries(qualityOf(measured)),
    deterministic_failures: measured.checks.flatMap(({ criterion, score }) =>
      score?.met === false
        ? [
            {
              check: criterion.check,
              criterion: score.name,
              reason: score.reasoning ?? '',
              must_pass: criterion.must_pass,
            },
          ]
        : [],
    ),
    suggestions: judgements.flatMap((each) => each.suggestions),
    scoring_mode: subject.scoring_mode,
    verifier_model: models.length === 0 ? null : models.join(' + '),
    verification_status: statusOf(ruling),
    verification_score: ruling.aggregate,
    llm_skipped: measured.texts.length > 0 ? (setting.notJudged?.reason ?? null) : null,
    timing: subject.has_dependents ? 'inline' : 'batch',
    retry_after_ms: ruling.action === 'retry' ? retryAfterMs(setting.retries.used + 1) : null,
    tokens_used: usage.inputTokens + usage.outputTokens,
    cost: usage.costUsd,
  };
}

/**
 * The scored dimensions, and `format`: the share of checks that passed, absent if none ran (VS-6).
 */
function qualityOf({ quality, checks }: Measured): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, score] of quality) if (score.value !== null) found.set(name, score.value);
  const ran = checks.filter(({ score }) => score?.state === 'scored');
  if (ran.length > 0)
    found.set('format', ran.filter(({ score }) => score?.met === true).length / ran.length);
  return found;
}

/** The status that people and callers see (VS-51). */
function statusOf({
  verdict,
  action,
  needsHumanReview,
}: TaskRuling): TaskDetail['verification_status'] {
  if (action === 'retry') return 'retrying';
  if (verdict === 'fail') return 'failed';
  if (needsHumanReview) return 'awaiting_human';
  return verdict === null ? 'skipped' : 'verified';
}

/**
 * The detail when a person must review the work, regardless of the ruling (VS-45): the work is not
 * sent back before the review.
 */
export function awaitPerson(detail: TaskDetail): TaskDetail {
  return {
    ...detail,
    verification_status: detail.verdict === 'fail' ? 'failed' : 'awaiting_human',
    retry_after_ms: null,
  };
}
