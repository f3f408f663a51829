import type { Issue } from '../../domain';
import { sumJudgeCost, isJudgingRequested, rounded, thresholdOf } from '../asking';
import { checkpointAction, hasRetries } from '../checkpoint';
import type { Walk } from '../plan-node';
import { withholdPass } from '../shortened';
import type { JudgedDecision, RunSetting } from '../kind';
import { rederiveSynthesis, ruleSynthesis, type SynthesisBasis } from './basis';
import { type OutputComparison, compareOutputs } from './compare-outputs';
import type { SynthesisDetail } from './detail';
import { failureText, fallbackWarning, retryText } from './feedback';
import { issuesOf } from './issues';
import type { Answered } from './judging';
import { TRACEABILITY, type TracedDetail } from './plan';
import type { ClaimSupport } from './claim-support';
import type { SynthesisConfig, SynthesisSubject } from './subject';

type Setting = RunSetting<SynthesisConfig>;

const NO_OUTPUTS = 'No agent returned an output: the answer was not compared with anything.';

/**
 * Decides by traceability alone, without a floor: even 0.1 is retried while retries are left
 * (SOAR-22, SOAR-23). Coherence and completeness are only reported. There is no verdict without
 * claims (SOAR-24), or if undecided claims could change it. Pure.
 */
export function decideSynthesis(
  walk: Walk,
  subject: SynthesisSubject,
  setting: Setting,
): JudgedDecision<SynthesisDetail> {
  if (subject.agent_outputs.length === 0) return skipped();
  const traced = (walk.details.get(TRACEABILITY) as TracedDetail | undefined) ?? null;
  const claimSupport = traced?.claimSupport ?? null;
  const answered = traced?.answered ?? null;
  const finding = answered?.judged.state === 'judged' ? answered.judged.reply : null;
  const traceability = claimSupport?.traceability ?? null;
  const claims = (claimSupport?.claims ?? []).map(({ claim }) => claim);
  const basis = basisOf(claimSupport, subject, setting);
  const verdict = ruleSynthesis(basis, setting.thresholds)?.verdict ?? null;
  const compared =
    claimSupport === null
      ? { unused: [], contradicted: [] }
      : compareOutputs(subject, claimSupport.claims);
  const issues = issuesOf({
    walk,
    claimSupport,
    answered,
    verdict,
    subject,
    setting,
    compared,
  });
  const feedbackInput = {
    subject,
    claims,
    traceability,
    threshold: thresholdOf(setting, 'pass_threshold', 0.7),
    retries: setting.retries,
  };
  const retryFeedback = verdict === 'RETRY' ? retryText(feedbackInput) : null;
  const error = verdict === 'FAIL' ? failureText(feedbackInput) : null;
  const warning = verdict === 'FAIL' ? fallbackWarning(feedbackInput) : null;
  const decided = {
    verdict,
    action: verdict === null && !basis.calls ? 'none' : checkpointAction(verdict),
    score: traceability,
    confidence: finding === null ? null : rounded(finding.confidence),
    needsHumanReview: rederiveSynthesis(basis, setting.thresholds).needsHumanReview,
    issues,
    feedback: retryFeedback ?? error,
    detail: {
      traceability,
      claims,
      unsupported: claims.flatMap(({ state, text }) => (state === 'supported' ? [] : [text])),
      counts: claimSupport === null ? null : countsOf(claimSupport, compared),
      contradicted: [...compared.contradicted],
      unused_outputs: [...compared.unused],
      coherence: finding?.coherence ?? null,
      completeness: finding?.completeness ?? null,
      verdict,
      warning,
      error,
      retry_feedback: retryFeedback,
      fallback:
        error === null || warning === null
          ? null
          : { warning, reason: error, agent_outputs: subject.agent_outputs },
    },
    judgeCost: sumJudgeCost(answered === null || answered.cached ? [] : [judgeCallOf(answered)]),
    basis,
    toCache: verdict === null ? null : finding,
  };
  return withholdPass(decided, finding?.leftOut ?? 0, verdict === 'PASS');
}

function basisOf(
  claimSupport: ClaimSupport | null,
  subject: SynthesisSubject,
  setting: Setting,
): SynthesisBasis {
  const counted =
    claimSupport === null
      ? null
      : {
          claims: claimSupport.claims.length,
          supported: claimSupport.supported,
          undecided: claimSupport.undecided,
        };
  return {
    counted,
    left: hasRetries(setting),
    // An answer without claims always needs a person; otherwise no person is notified if judging
    // was not requested.
    calls: isJudgingRequested(setting) || subject.claims !== null || counted?.claims === 0,
    passed_over: !isJudgingRequested(setting),
  };
}

function countsOf(
  { claims, supported, undecided }: ClaimSupport,
  { contradicted }: OutputComparison,
): SynthesisDetail['counts'] {
  const unsupported = claims.length - supported - undecided;
  return {
    claims: claims.length,
    supported,
    unsupported,
    contradicted: contradicted.length,
    unjudged: undecided,
  };
}

function judgeCallOf({ judged }: Answered): Parameters<typeof sumJudgeCost>[0][number] {
  return {
    models: judged.model === null ? [] : [judged.model],
    answered: judged.state === 'judged',
    retryAfterMs: judged.state === 'failed' ? judged.retryAfterMs : null,
    usage: judged.usage,
  };
}

/** Without outputs there is neither a verdict nor a failure, only a warning (SOAR-25). */
function skipped(): JudgedDecision<SynthesisDetail> {
  const issue: Issue = {
    code: 'no_agent_outputs',
    message: NO_OUTPUTS,
    severity: 'medium',
    path: 'agent_outputs',
  };
  return {
    verdict: null,
    action: 'none',
    score: null,
    confidence: null,
    needsHumanReview: false,
    issues: [issue],
    feedback: null,
    detail: {
      traceability: null,
      claims: [],
      unsupported: [],
      counts: null,
      contradicted: [],
      unused_outputs: [],
      coherence: null,
      completeness: null,
      verdict: null,
      warning: NO_OUTPUTS,
      error: null,
      retry_feedback: null,
      fallback: null,
    },
    judgeCost: sumJudgeCost([]),
    basis: { counted: null, left: false, calls: false, passed_over: true } satisfies SynthesisBasis,
    toCache: null,
    skipped: 'no_agent_outputs',
  };
}
