export { type OutcomesTaken, takeOutcomes } from './labels/take-outcomes';
export { listLabelsOf, type VerdictLabels } from './labels/labels-of-verdict';
export { overrideVerdict, type VerdictLabel } from './labels/override';
export { undoLabel } from './labels/undo';
export { type Judgement, type JudgementPage, listJudgements } from './measures/list-judgements';
export { listChanges } from './changes/list-changes';
export { measureVerifiers, type VerifierMeasures } from './measures/measure';
export { measureVerifier, periodStart, type VerifierDetail } from './measures/measure-verifier';
export { noteMissed } from './measures/note-missed';
export { refreshDue, refreshJudgements } from './measures/refresh';
export type { Measure, Rates } from './measures/rates';
export type { CategoricalJudge, ImportedJudge, ImportedMeasures, JudgedClass, NumericJudge, PeopleAgreement } from './imported/imported';
export { measureImportedJudges } from './imported/measure-imported';
export { getTrial, listTrials, type Trial, type TrialHead, type TrialRow } from './trials/get-trial';
export { planTrial, type TrialPlan } from './trials/plan-trial';
export { startTrial } from './trials/start-trial';
export type { TrialSide } from './trials/sum-trial';
export { trialKind } from './trials/trial-job';
export { createTrialStep } from './trials/trial-step';
export { listPolicies } from './labels/list-policies';
export { putPolicy } from './labels/put-policy';
export { fillDesks, listenForDesks } from './review/fill-desks';
export { countWaiting } from './review/count-waiting';
export { getDesk } from './review/get-desk';
export { getReviewContent } from './review/get-review-content';
export { listReviewSettings } from './review/list-review-settings';
export { putReviewSettings } from './review/put-review-settings';
export { releaseItem } from './review/release-item';
export { reserveItems } from './review/reserve-items';
export { ruleItem } from './review/rule-item';
export { undoItem } from './review/undo-item';
export type { Desk, ItemRuled, OwnRuling, Policy, ReviewContent, ReviewItem, ReviewSeen, ReviewSettings } from './review/item';
export { reportVerifier } from './measures/report-verifier';
export type {
  CalibrationReport,
  Corrected,
  Correlation,
  Curves,
  Drift,
  Estimate,
  HumanCeiling,
  Reliability,
  SliceGroup,
  SweepPoint,
} from './measures/report';
export type { AnchorPlan, AnchorRun, AnchorSet } from './anchors/anchor';
export { anchorKind } from './anchors/anchor-job';
export { anchorScheduleKind, anchorSchedules } from './anchors/anchor-schedules';
export { createAnchorStep } from './anchors/anchor-step';
export { freezeAnchors } from './anchors/freeze-anchors';
export { listAnchorSets } from './anchors/list-anchor-sets';
export { planAnchors } from './anchors/plan-anchors';
export { readDrift } from './anchors/read-drift';
export { retireAnchors } from './anchors/retire-anchors';
export { runAnchors } from './anchors/run-anchors';
