import { renderSteering } from '../../evaluators/steering';
import type { GatewayDialect } from '../../domain';
import type { DeferredNotes } from '../deferred/deferred-notes';
import { dialectOf } from '../dialects/dialects';
import type { GatewayRoute } from '../exchange';
import type { HeldDeps } from './deps';
import type { FigureScan } from './figure-scan';
import { askForEnvelope, holdsFigures } from './envelope-request';

/** A call to a model, before it goes up. */
export interface UnsentCall {
  /** The call's own id. */
  readonly id: string;
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  /** As in `ExchangeRequest`. */
  readonly noteKey: string | null;
  readonly body: Buffer;
}

/** Whether a request of this route may be changed on its way up, so that its whole body is needed first. */
export function mayPrepare(route: GatewayRoute): boolean {
  return holdsFigures(route) || defersNotes(route);
}

/**
 * The request as it goes up: with the rule and the envelope's shape on a route that holds its answers for integrity (INT-17), and with
 * the note that the session's last verification left (QV-31). The very same buffer where there is nothing to add. Its sources begin to be
 * read where its answer will be held against them.
 */
export function createPrepareCall(deps: {
  readonly deferred: DeferredNotes;
  readonly promptsOf: HeldDeps['promptsOf'];
  readonly readAhead: FigureScan['readAhead'];
}): (call: UnsentCall) => Buffer {
  return ({ id, route, dialect: name, noteKey, body }) => {
    if (!mayPrepare(route)) return body;
    const dialect = dialectOf(name);
    const holds = holdsFigures(route);
    // Rule and note are no sources: what is read ahead is what the answer will be held against.
    if (holds) deps.readAhead({ callId: id, dialect: name, body, allowUserFigures: route.settings.integrity.allow_user_figures });
    const asked = holds ? askForEnvelope(route, dialect, body) : body;
    const note = noteKey !== null && defersNotes(route) ? deps.deferred.take(route.project.id, noteKey) : null;
    if (noteKey === null || note === null) return asked;
    const { steering } = deps.promptsOf(route.project.id);
    const steered = dialect.withSteering(asked, renderSteering(steering, note));
    if (steered === null) deps.deferred.keep(route.project.id, noteKey, note);
    return steered ?? asked;
  };
}

function defersNotes({ settings }: GatewayRoute): boolean {
  return settings.quality_verifier.deferred && settings.quality_verifier.model !== null;
}
