import { sha256 } from '../platform';
import type { FullVerdict } from '../verdicts';

/** Spans of this scope are our own. Intake makes no turns from them, to prevent a judging loop. */
const ownScope = 'assay';

/** `{url}/v1/traces`, unless the address already ends with this path. */
export function otlpUrl(base: string): string {
  const url = new URL(base);
  if (!url.pathname.endsWith('/v1/traces'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

/**
 * A verdict as OTLP/JSON: one span "evaluate <verifier>" in the verdict's trace, as a child of the
 * evaluated span, with the event `gen_ai.evaluation.result` (OpenTelemetry GenAI conventions). Ids
 * are derived: each attempt sends the same span. A verdict without an OpenTelemetry trace gets a
 * separate one.
 */
export function otlpBody(projectId: string, verdict: FullVerdict, verdictUrl: string): string {
  const seed = `${projectId}\n${verdict.id}`;
  const origin = spanOf(verdict);
  const explanation = verdict.feedback ?? verdict.issues[0]?.message ?? verdict.decision.reason;
  const span = {
    traceId: origin.traceId ?? sha256(`trace\n${seed}`).slice(0, 32),
    spanId: sha256(`span\n${seed}`).slice(0, 16),
    ...(origin.spanId === null ? {} : { parentSpanId: origin.spanId }),
    name: `evaluate ${verdict.verifier}`,
    kind: 1,
    startTimeUnixNano: nanoseconds(verdict.createdAt),
    endTimeUnixNano: nanoseconds(verdict.settledAt),
    attributes: [
      text('assay.verification.id', verdict.id),
      text('assay.verification.url', verdictUrl),
      text('assay.outcome', verdict.outcome),
      text('assay.subject.id', verdict.subjectId),
      ...(verdict.sessionId === null ? [] : [text('gen_ai.conversation.id', verdict.sessionId)]),
    ],
    events: [
      {
        name: 'gen_ai.evaluation.result',
        timeUnixNano: nanoseconds(verdict.settledAt),
        attributes: [
          text('gen_ai.evaluation.name', verdict.verifier),
          ...(verdict.score === null
            ? []
            : [{ key: 'gen_ai.evaluation.score.value', value: { doubleValue: verdict.score } }]),
          text('gen_ai.evaluation.score.label', verdict.verdict ?? verdict.outcome),
          ...(explanation === null ? [] : [text('gen_ai.evaluation.explanation', explanation)]),
        ],
      },
    ],
    status: {},
  };
  const resource = { attributes: [text('service.name', 'assay')] };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: ownScope }, spans: [span] }] }],
  });
}

/** Turns assembled from traces have ids of the form `<trace id>-<span id>`. */
function spanOf(verdict: FullVerdict): {
  readonly traceId: string | null;
  readonly spanId: string | null;
} {
  const named = /^([0-9a-f]{32})-([0-9a-f]{16})$/.exec(verdict.turnId ?? '');
  if (named !== null) return { traceId: named[1] ?? null, spanId: named[2] ?? null };
  return {
    traceId: /^[0-9a-f]{32}$/.test(verdict.traceId ?? '') ? verdict.traceId : null,
    spanId: null,
  };
}

function text(key: string, stringValue: string): { readonly key: string; readonly value: object } {
  return { key, value: { stringValue } };
}

function nanoseconds(at: Date): string {
  return String(BigInt(at.getTime()) * 1_000_000n);
}
