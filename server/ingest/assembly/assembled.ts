import type { Usage } from './count-usage';

/**
 * The assembled trace. Recomputed whenever spans arrive; the same spans in any order yield the same
 * result.
 */
export interface AssembledTrace {
  readonly name: string;
  readonly service: string | null;
  readonly sessionId: string | null;
  readonly userId: string | null;
  /** RFC 3339, null where no span has a usable time. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly spans: number;
  readonly errors: number;
  readonly models: readonly string[];
  readonly usage: Usage;
  /** True when one of the spans has no parent, or one in another process. */
  readonly hasRoot: boolean;
  /** `conflict`, and the flags of its spans: `cleaned`, `dropped` and others. */
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly turns: readonly AssembledTurn[];
  readonly evaluations: readonly ForeignScore[];
  /**
   * The reason why a span that looks like an answer produced no turn, for people to read: "content
   * capture is off".
   */
  readonly notes: readonly { readonly spanId: string; readonly reason: string }[];
}

/**
 * A turn of a trace. `payload` is a `WireTurn` as JSON text, ready for `prepareTurn`; its `id` is
 * `<trace id>-<span id>`.
 */
export interface AssembledTurn {
  readonly spanId: string;
  readonly payload: string;
  readonly usage: Usage;
}

/** A measurement by another tool, stored unchanged (`gen_ai.evaluation.result`). */
export interface ForeignScore {
  readonly spanId: string;
  /** The turn it belongs to, if that is known. */
  readonly turnId: string | null;
  readonly name: string;
  readonly value: number | null;
  readonly label: string | null;
  readonly explanation: string | null;
  /** RFC 3339. */
  readonly at: string | null;
}
