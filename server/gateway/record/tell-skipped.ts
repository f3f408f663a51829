import type { Logger } from '../../platform';
import type { Captured } from '../proxy/captured';
import type { ReadCall } from './read-captured';

/**
 * Says in the log why an answer was not verified on the way (QV-43); what was held has said so
 * itself.
 */
export function tellSkipped(
  log: Logger,
  { route, told, settled, counter }: Captured,
  { row }: Pick<ReadCall, 'row'>,
): void {
  const { model, frequency } = route.settings.quality_verifier;
  if (model === null || settled !== null || told.reason === null) return;
  const turns = Math.floor(counter / 1000);
  const common = {
    project: route.project.slug,
    route: route.name,
    call: row.id,
    session: row.sessionId,
    stream: row.stream,
  };
  const fields = { ...common, turns, frequency, model, skipped: told.reason };
  if (told.reason === 'not_due' || told.reason === 'tool_followup')
    log.debug(fields, 'quality verifier');
  else log.info(fields, 'quality verifier');
}
