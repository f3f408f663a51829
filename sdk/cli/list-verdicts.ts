import type { Verification } from '../client/turn';
import type { Api } from './api';

/** Query parameters of `GET /v1/verifications`. */
export interface VerdictQuery {
  readonly kind?: string | undefined;
  readonly outcome?: string | undefined;
  readonly verifier?: string | undefined;
  readonly model?: string | undefined;
  readonly session_id?: string | undefined;
  readonly turn_id?: string | undefined;
  /** The experiment whose verdicts are listed; without it, verdicts of live work. */
  readonly experiment?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `pending` lists verifications without a verdict instead of verdicts. */
  readonly state?: 'pending' | undefined;
}

/**
 * Verdicts, newest first, page by page; stops when the consumer stops.
 *
 * @throws CliFailure
 */
export async function* listVerdicts(
  api: Api,
  query: VerdictQuery,
  limit = 200,
): AsyncGenerator<Verification> {
  for (let cursor: string | undefined; ; ) {
    const reply = await api.call('/v1/verifications', { query: { ...query, limit, cursor } });
    const data = Array.isArray(reply.data) ? (reply.data as Verification[]) : [];
    yield* data;
    if (typeof reply.next_cursor !== 'string') return;
    cursor = reply.next_cursor;
  }
}
