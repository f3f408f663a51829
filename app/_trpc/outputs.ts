import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/server/trpc';

type Outputs = inferRouterOutputs<AppRouter>;

export type Project = Outputs['projects']['get'];
export type Me = Outputs['account']['me'];
export type Overview = Outputs['verdicts']['overview'];
export type VerdictPage = Outputs['verdicts']['list'];
export type VerdictRow = VerdictPage['items'][number];
export type VerdictDetail = Outputs['verdicts']['get'];
export type VerdictTurn = NonNullable<VerdictDetail['turn']>;
export type ClaimState = Outputs['account']['claimState'];
export type Waiting = Outputs['work']['waiting'];
export type ApiKey = Outputs['keys']['list'][number];
export type Members = Outputs['members']['list'];
export type AuditPage = Outputs['audit']['list'];
