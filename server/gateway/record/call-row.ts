import type { Fragment, Sql } from 'postgres';
import type { GatewayDialect, GatewayReason, GatewayVerdict } from '../../domain';
import type { SteerState } from './views-input';

/** One call as shown in lists. Times in milliseconds, turns in thousandths. */
export interface CallRow {
  readonly id: string;
  /** Null if the call has no turn. */
  readonly turnId: string | null;
  readonly route: string;
  readonly sessionId: string;
  readonly dialect: GatewayDialect;
  readonly model: string | null;
  /** As the upstream reported them; null if not reported. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly stream: boolean;
  /** Status of the upstream's answer. */
  readonly status: number;
  readonly verdict: GatewayVerdict;
  readonly reason: GatewayReason | null;
  readonly verificationId: string | null;
  readonly truncated: boolean;
  readonly partial: boolean;
  /** Units of the call, and the session's counter after it. */
  readonly units: number;
  readonly counter: number;
  readonly durationMs: number;
  readonly deliveryDelayMs: number | null;
  readonly decision: 'pass' | 'steer' | 'verifier_failed' | null;
  /** The result of the steering note; null if there was none. */
  readonly steer: SteerState | null;
  readonly at: Date;
}

export interface StoredCall {
  id: string;
  turn_id: string | null;
  route: string;
  session_id: string;
  dialect: GatewayDialect;
  model: string | null;
  input_tokens: string | null;
  output_tokens: string | null;
  stream: boolean;
  status: number;
  verdict: GatewayVerdict;
  reason: GatewayReason | null;
  verification_id: string | null;
  truncated: boolean;
  partial: boolean;
  units: number;
  counter: number;
  duration_ms: number;
  held_ms: number | null;
  decision: CallRow['decision'];
  steer: SteerState | null;
  /** RFC 3339 in UTC with microseconds, for the cursor. */
  at: string;
}

/** The columns of `StoredCall`, of calls `c`. */
export function callColumns(sql: Sql): Fragment {
  return sql`c.id, c.turn_id, c.route, c.session_id, c.dialect, c.model, c.input_tokens, c.output_tokens, c.stream, c.status, c.verdict, c.reason, c.verification_id,
    c.truncated, c.partial, c.units, c.counter, c.duration_ms, c.held_ms, c.decision, c.episode #>> '{steer,state}' as steer,
    to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`;
}

const countOf = (stored: string | null): number | null => (stored === null ? null : Number(stored));

export function asCall(row: StoredCall): CallRow {
  return {
    id: row.id,
    turnId: row.turn_id,
    route: row.route,
    sessionId: row.session_id,
    dialect: row.dialect,
    model: row.model,
    inputTokens: countOf(row.input_tokens),
    outputTokens: countOf(row.output_tokens),
    stream: row.stream,
    status: row.status,
    verdict: row.verdict,
    reason: row.reason,
    verificationId: row.verification_id,
    truncated: row.truncated,
    partial: row.partial,
    units: row.units,
    counter: row.counter,
    durationMs: row.duration_ms,
    deliveryDelayMs: row.held_ms,
    decision: row.decision,
    steer: row.steer,
    at: new Date(row.at),
  };
}
