import type { Logger } from '../../platform';
import type { Captured } from '../proxy/captured';
import type { ReadCall } from './read-captured';

/** Logs why an answer was not verified (QV-43). Buffered answers log this themselves. */
export function reportSkipped(
  log: Logger,
  { route, outcome, finished, counter }: Captured,
  { row }: Pick<ReadCall, 'row'>,
): void {
  const { model, frequency } = route.settings.quality_verifier;
  if (model === null || finished !== null || outcome.reason === null) return;
  const turns = Math.floor(counter / 1000);
  const common = {
    project: route.project.slug,
    route: route.name,
    call: row.id,
    session: row.sessionId,
    stream: row.stream,
  };
  const fields = { ...common, turns, frequency, model, skipped: outcome.reason };
  if (outcome.reason === 'not_due' || outcome.reason === 'tool_followup')
    log.debug(fields, 'quality verifier');
  else log.info(fields, 'quality verifier');
}
