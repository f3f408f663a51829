export { type OutcomesTaken, takeOutcomes } from './labels/take-outcomes';
export { listLabelsOf, type VerdictLabels } from './labels/labels-of-verdict';
export { overrideVerdict, type VerdictLabel } from './labels/override';
export { undoLabel } from './labels/undo';
export { type Judgement, type JudgementPage, listJudgements } from './measures/list-judgements';
export { listChanges } from './changes/list-changes';
export { listMarks } from './changes/list-marks';
export { measureCaughtCosts } from './measures/caught-costs';
export { readAuditReach } from './measures/audit-reach';
export { countJudgements } from './measures/count-judgements';
export { countOutcomes } from './measures/count-outcomes';
export { measureVerifiers, type VerifierMeasures } from './measures/measure';
export { measureVerifier, periodStart, type VerifierDetail } from './measures/measure-verifier';
export { noteMissed } from './measures/note-missed';
export { refreshDue, refreshJudgements } from './measures/refresh';
export type { Measure, Rates } from './measures/rates';
export type {
  CategoricalJudge,
  ImportedJudge,
  ImportedMeasures,
  JudgedClass,
  NumericJudge,
  PeopleAgreement,
} from './imported/imported';
export { measureImportedJudges } from './imported/measure-imported';
export {
  getTrial,
  listTrials,
  type Trial,
  type TrialHead,
  type TrialRow,
} from './trials/get-trial';
export { planTrial, type TrialPlan } from './trials/plan-trial';
export { startTrial } from './trials/start-trial';
export type { TrialSide } from './trials/sum-trial';
export { trialKind } from './trials/trial-job';
export { createTrialStep } from './trials/trial-step';
export { approvePromotion } from './promotion/approve-promotion';
export { changeSettings, type SettingsChanged } from './promotion/change-settings';
export { checkJudge, checkPrompt } from './promotion/check-promotion';
export type { GateFindings, GatePart, GateSlice, NotTried } from './promotion/gate-findings';
export { listPromotions } from './promotion/list-promotions';
export { promotePrompt } from './promotion/promote-prompt';
export type {
  Promotion,
  PromotionCheck,
  PromotionMode,
  PromotionState,
} from './promotion/promotion';
export { rollBackPromotion } from './promotion/roll-back-promotion';
export { withdrawPromotion } from './promotion/withdraw-promotion';
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
export type {
  Desk,
  ItemRuled,
  OwnRuling,
  Policy,
  ReviewContent,
  ReviewItem,
  ReviewSeen,
  ReviewSettings,
} from './review/item';
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
export { runChangedAnchors } from './anchors/run-changed';
export { listFlips } from './simulate/list-flips';
export { listThresholdChanges } from './simulate/list-threshold-changes';
export { simulateThreshold } from './simulate/simulate-threshold';
export type {
  Candidate,
  Flip,
  Simulation,
  ThresholdChange,
  ThresholdSuggestion,
} from './simulate/simulation';
export type { Alert, AlertBoard, AlertEvent, AlertKind, AlertRule } from './alerts/alert';
export { listAlertEvents } from './alerts/list-alert-events';
export { listAlertRules } from './alerts/list-alert-rules';
export { countAlerting, listAlerts } from './alerts/list-alerts';
export { putAlertRule, resetAlertRule } from './alerts/put-alert-rule';
export { lookNow, watchAlerts } from './alerts/watch';
export { listTrust, listTrustChanges } from './trust/list-trust';
export { lookAtTrust } from './trust/look-at-trust';
export { lookWhereDue } from './trust/look-due';
export { type PutTrustSettings, putTrustSettings } from './trust/put-trust-settings';
export { deleteReportSchedule } from './reports/delete-schedule';
export { getReport, getReportMarkdown } from './reports/get-report';
export { listReports, type ReportHead } from './reports/list-reports';
export { listReportSchedules, previewTiming } from './reports/list-schedules';
export { makeReport } from './reports/make-report';
export { putReportSchedule } from './reports/put-schedule';
export { reportKind } from './reports/report-job';
export { reportScheduleKind, reportSchedules } from './reports/report-schedules';
export { createReportStep } from './reports/report-step';
export type {
  ProbeAnswer,
  ProbeDetail,
  ProbeItem,
  ProbePlan,
  ProbeRun,
  ProbeState,
} from './probes/probe';
export type { ProbeFindings } from './probes/probe-findings';
export { getProbe } from './probes/get-probe';
export { listProbes } from './probes/list-probes';
export { planProbe } from './probes/plan-probe';
export { probeKind } from './probes/probe-job';
export { createProbeStep } from './probes/probe-step';
export { startProbe } from './probes/start-probe';
