import { renderSteering } from '../../evaluators/steering';
import type { GatewayDialect } from '../../domain';
import { type Bodies, resultOf } from '../proxy/bodies';
import type { DeferredNotes } from './deferred-notes';
import type { GatewayRoute } from '../exchange';
import type { VerifyDeps } from './deps';
import type { FigureScan } from './figure-scan';
import { asksEnvelope, envelopeRule, holdsFigures } from './envelope-request';
import type { ShapeRefusals } from './shape-refusals';

/** A call to a model, before it goes up. */
export interface UnsentCall {
  /** The call's own id. */
  readonly id: string;
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  /** As in `ExchangeRequest`. */
  readonly noteKey: string | null;
  readonly model: string | null;
  readonly body: Buffer;
}

/** A request as it goes up. */
export interface PreparedCall {
  /** The very same buffer where there is nothing to add. */
  readonly body: Buffer;
  /** The same without the shape of an answer; null: it asks for none. */
  readonly withoutShape: (() => Promise<Buffer>) | null;
}

/**
 * Whether a request of this route may be changed on its way up, so that its whole body is needed
 * first.
 */
export function mayPrepare(route: GatewayRoute): boolean {
  return holdsFigures(route) || defersNotes(route);
}

/**
 * The request as it goes up: with the rule and the envelope's shape on a route that holds its
 * answers for integrity (INT-17), and with the note that the session's last verification left
 * (QV-31). Its sources begin to be read where its answer will be compared with them.
 */
export function createPrepareCall(deps: {
  readonly deferred: DeferredNotes;
  readonly promptsOf: VerifyDeps['promptsOf'];
  readonly readAhead: FigureScan['readAhead'];
  readonly shapes: ShapeRefusals;
  readonly bodies: Bodies;
}): (call: UnsentCall) => Promise<PreparedCall> {
  return async ({ id, route, dialect, noteKey, model, body }) => {
    if (!mayPrepare(route)) return { body, withoutShape: null };
    const owned = { projectId: route.project.id, dialect };
    // Rule and note are no sources: what is read ahead is what the answer will be compared with.
    const { allow_user_figures: allowUserFigures, sources } = route.settings.integrity;
    if (holdsFigures(route))
      deps.readAhead({ callId: id, dialect, body, allowUserFigures, sources });
    const note =
      noteKey !== null && defersNotes(route) ? deps.deferred.take(route.project.id, noteKey) : null;
    const ruled = async (takesShape: boolean): Promise<Buffer> => {
      const rule = envelopeRule(route, dialect, body, takesShape);
      return (
        (rule === null
          ? null
          : resultOf(await deps.bodies.work('rule', { ...owned, body }, ...rule))) ?? body
      );
    };
    const withNote = async (request: Buffer): Promise<Buffer | null> => {
      if (note === null) return request;
      const message = renderSteering(deps.promptsOf(route.project.id).steering, note);
      return resultOf(await deps.bodies.work('steering', { ...owned, body: request }, message));
    };
    const asked = await ruled(!deps.shapes.isRefused({ route, dialect, model }));
    const noted = await withNote(asked);
    if (noted === null && noteKey !== null && note !== null)
      deps.deferred.keep(route.project.id, noteKey, note);
    const plain = async (): Promise<Buffer> => {
      const request = await ruled(false);
      return (await withNote(request)) ?? request;
    };
    return {
      body: noted ?? asked,
      withoutShape: asksEnvelope(route, dialect, asked) === null ? null : plain,
    };
  };
}

function defersNotes({ settings }: GatewayRoute): boolean {
  return settings.quality_verifier.deferred && settings.quality_verifier.model !== null;
}
