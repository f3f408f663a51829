import type { Logger } from '../../platform';
import type { Captured } from '../proxy/captured';
import type { ReadCall } from './read-captured';

/**
 * Says in the log why an answer was not verified on the way (QV-43); what was held has said so
 * itself.
 */
export function logSkipped(
  log: Logger,
  { route, verification, settled, counter }: Captured,
  { row }: Pick<ReadCall, 'row'>,
): void {
  const { model, frequency } = route.settings.quality_verifier;
  if (model === null || settled !== null || verification.reason === null) return;
  const turns = Math.floor(counter / 1000);
  const common = {
    project: route.project.slug,
    route: route.name,
    call: row.id,
    session: row.sessionId,
    stream: row.stream,
  };
  const fields = { ...common, turns, frequency, model, skipped: verification.reason };
  if (verification.reason === 'not_due' || verification.reason === 'tool_followup')
    log.debug(fields, 'quality verifier');
  else log.info(fields, 'quality verifier');
}
