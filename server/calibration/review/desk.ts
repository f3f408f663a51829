import type { ProjectCtx } from '../../access';
import type { Desk, ItemRuled, Policy, ReviewContent, ReviewItem, ReviewSettings } from './item';
import type { ReviewAnswer, ReviewQueue, ReviewSettingsBody } from './review-input';

/* The contract of the desk; each verb moves into a file of its own. */
interface Which {
  readonly verifier?: string | undefined;
  readonly queue?: ReviewQueue | undefined;
}

export const getDesk: (ctx: ProjectCtx, input: Which) => Promise<Desk> = notYet;
export const reserveItems: (ctx: ProjectCtx, input: Which & { readonly limit: number }) => Promise<ReviewItem[]> = notYet;
export const getReviewContent: (ctx: ProjectCtx, input: { readonly item: string }) => Promise<ReviewContent> = notYet;
export const ruleItem: (
  ctx: ProjectCtx,
  input: {
    readonly item: string;
    readonly answer: ReviewAnswer;
    readonly reason?: string | undefined;
    readonly grade?: number | undefined;
  },
) => Promise<ItemRuled> = notYet;
export const undoItem: (ctx: ProjectCtx, input: { readonly item: string }) => Promise<ReviewItem> = notYet;
export const releaseItem: (ctx: ProjectCtx, input: { readonly item: string }) => Promise<void> = notYet;
export const listReviewSettings: (ctx: ProjectCtx) => Promise<ReviewSettings[]> = notYet;
export const putReviewSettings: (
  ctx: ProjectCtx,
  input: { readonly verifier: string | null; readonly settings: ReviewSettingsBody },
) => Promise<ReviewSettings> = notYet;
export const listPolicies: (ctx: ProjectCtx, input: { readonly verifier: string }) => Promise<Policy[]> = notYet;
export const putPolicy: (
  ctx: ProjectCtx,
  input: { readonly verifier: string; readonly body: string; readonly message: string },
) => Promise<Policy> = notYet;

function notYet(): never {
  throw new Error('not there yet');
}
