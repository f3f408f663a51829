import { enterProject } from '../../access';
import { AssayError, type Ctx } from '../../platform';
import { awaitUndelivered, startUndelivered } from '../../verdicts';
import type { GatewayProject } from '../exchange';
import type { TurnVerifier } from './deps';

const actor = { kind: 'system', id: 'gateway', label: 'gateway' } as const;

/**
 * Verifies undelivered answers through PostgreSQL. While it is known to be unavailable, nothing is
 * tried, so that no answer waits for it.
 */
export function createTurnVerifier(ctx: Ctx, isUnavailable: () => boolean): TurnVerifier {
  const within = (project: GatewayProject) => enterProject(ctx, project, actor);
  return {
    async start(project, input) {
      if (isUnavailable()) throw new AssayError('unavailable', 'PostgreSQL is unavailable');
      return startUndelivered(within(project), input);
    },
    verdictOf: (project, verdictId, wait) => awaitUndelivered(within(project), verdictId, wait),
  };
}
