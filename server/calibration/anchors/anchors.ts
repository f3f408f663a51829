import type { ProjectCtx } from '../../access';
import type { SubjectDeps } from '../../verdicts';
import type { AnchorRun, AnchorSet } from './anchor';

/* The contract of anchor sets; each verb moves into a file of its own. */
export const listAnchorSets: (ctx: ProjectCtx, input: { readonly verifier: string }) => Promise<AnchorSet[]> = notYet;
export const freezeAnchors: (
  ctx: ProjectCtx,
  input: {
    readonly verifier: string;
    readonly name: string;
    readonly items: number;
    readonly seed: number;
    readonly cron: string | null;
    readonly zone: string;
  },
) => Promise<AnchorSet> = notYet;
export const runAnchors: (ctx: ProjectCtx, deps: SubjectDeps, input: { readonly id: string }) => Promise<AnchorRun> = notYet;
export const retireAnchors: (ctx: ProjectCtx, input: { readonly id: string }) => Promise<void> = notYet;

function notYet(): never {
  throw new Error('not there yet');
}
