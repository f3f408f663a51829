export { listLabelsOf, type VerdictLabels } from './labels-of-verdict';
export { listPolicies } from './list-policies';
export { overrideVerdict, type VerdictLabel } from './override';
export { putPolicy } from './put-policy';
export { countWaiting } from './review/count-waiting';
export { fillDesks, listenForDesks } from './review/fill-desks';
export { getDesk } from './review/get-desk';
export { getReviewContent } from './review/get-review-content';
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
export { listReviewSettings } from './review/list-review-settings';
export { putReviewSettings } from './review/put-review-settings';
export { releaseAllItems, releaseItem } from './review/release-item';
export { reserveItems } from './review/reserve-items';
export { ruleItem } from './review/rule-item';
export { undoItem } from './review/undo-item';
export { storeImportedLabels } from './store-imported';
export { takeOutcomes, type OutcomesTaken } from './take-outcomes';
export { undoLabel } from './undo';
