import type { ProjectCtx } from '../../access';
import type { Days, Origin } from './measure-input';
import type { CalibrationReport } from './report';
import type { Slice } from './report-input';

export const reportVerifier: (
  ctx: ProjectCtx,
  input: {
    readonly verifier: string;
    readonly origin: Origin;
    readonly judge?: string | undefined;
    readonly policy?: number | undefined;
    readonly slice?: Slice | undefined;
    readonly days: Days;
  },
) => Promise<CalibrationReport> = notYet;

function notYet(): never {
  throw new Error('not there yet');
}
