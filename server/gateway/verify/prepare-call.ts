import { renderSteering } from '../../evaluators/steering';
import type { GatewayDialect } from '../../domain';
import { type Bodies, bodyResult } from '../proxy/bodies';
import type { DeferredNotes } from './deferred-notes';
import type { GatewayRoute } from '../exchange';
import type { VerificationDeps } from './deps';
import type { FigureScan } from './figure-scan';
import { readEnvelopeRequest, envelopeRule, checksFigures } from './envelope-request';
import type { ShapeRefusals } from './shape-refusals';

/** A model call before it is sent. */
export interface UnsentCall {
  readonly id: string;
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  /** As in `ExchangeRequest`. */
  readonly noteKey: string | null;
  readonly model: string | null;
  readonly body: Buffer;
}

/** A request as sent upstream. */
export interface PreparedCall {
  /** The same buffer if there is nothing to add. */
  readonly body: Buffer;
  /** The same request without the response schema; null if it has none. */
  readonly withoutShape: (() => Promise<Buffer>) | null;
}

/** Whether requests of this route may be changed, so that the whole body is needed first. */
export function mayPrepare(route: GatewayRoute): boolean {
  return checksFigures(route) || defersNotes(route);
}

/**
 * Prepares the request: adds the rule and the envelope schema if the route checks figures before
 * delivery (INT-17), and the note that the session's last verification left (QV-31). Starts to
 * parse the sources if the answer will be compared with them.
 */
export function createPrepareCall(deps: {
  readonly deferred: DeferredNotes;
  readonly promptsOf: VerificationDeps['promptsOf'];
  readonly readAhead: FigureScan['readAhead'];
  readonly shapes: ShapeRefusals;
  readonly bodies: Bodies;
}): (call: UnsentCall) => Promise<PreparedCall> {
  return async ({ id, route, dialect, noteKey, model, body }) => {
    if (!mayPrepare(route)) return { body, withoutShape: null };
    const owned = { projectId: route.project.id, dialect };
    // Before the rule and the note are added, since they are not sources.
    const { allow_user_figures: allowUserFigures, sources } = route.settings.integrity;
    if (checksFigures(route))
      deps.readAhead({ callId: id, dialect, body, allowUserFigures, sources });
    const note =
      noteKey !== null && defersNotes(route) ? deps.deferred.take(route.project.id, noteKey) : null;
    const ruled = async (acceptsSchema: boolean): Promise<Buffer> => {
      const rule = envelopeRule(route, dialect, body, acceptsSchema);
      return (
        (rule === null
          ? null
          : bodyResult(await deps.bodies.work('rule', { ...owned, body }, ...rule))) ?? body
      );
    };
    const withNote = async (request: Buffer): Promise<Buffer | null> => {
      if (note === null) return request;
      const message = renderSteering(deps.promptsOf(route.project.id).steering, note);
      return bodyResult(await deps.bodies.work('steering', { ...owned, body: request }, message));
    };
    const withRules = await ruled(!deps.shapes.isRefused({ route, dialect, model }));
    const prepared = await withNote(withRules);
    if (prepared === null && noteKey !== null && note !== null)
      deps.deferred.keep(route.project.id, noteKey, note);
    const plain = async (): Promise<Buffer> => {
      const request = await ruled(false);
      return (await withNote(request)) ?? request;
    };
    return {
      body: prepared ?? withRules,
      withoutShape: readEnvelopeRequest(route, dialect, withRules) === null ? null : plain,
    };
  };
}

function defersNotes({ settings }: GatewayRoute): boolean {
  return settings.quality_verifier.deferred && settings.quality_verifier.model !== null;
}
