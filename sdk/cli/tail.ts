import { setTimeout as sleep } from 'node:timers/promises';
import type { Verification } from '../client/turn';
import { type Api, createApi } from './api';
import { readConnection } from './arguments';
import type { Command } from './command';
import { describeVerdict } from './describe-verdict';
import { listVerdicts, type VerdictQuery } from './list-verdicts';
import { plain } from './terminal';

const help = `assay tail                follows verdicts as they are settled, one line each; Ctrl+C ends it
  --session ID, --model NAME, --outcome WORD, --kind KIND    only these
  --last N                first prints the last N (10)
  --interval SECONDS      between two polls (1)
With --json each line is the whole verdict. Exit code 0, 1 when it failed.
`;

const outcomes = [
  'passed',
  'failed',
  'needs_review',
  'steered',
  'inconclusive',
  'skipped',
] as const;

/**
 * Verdicts that settle at the same moment become visible in any order, so each poll starts this far
 * before the newest one seen. Longer than a settling statement may take
 * (docs/reference/environment.md: `ASSAY_QUERY_TIMEOUT_MS`).
 */
const overlapMs = 10_000;

export const tail: Command = {
  help,
  options: {
    session: { type: 'string' },
    model: { type: 'string' },
    outcome: { type: 'string' },
    kind: { type: 'string' },
    last: { type: 'string' },
    interval: { type: 'string' },
  },
  async run(flags, terminal, env) {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const query = {
      session_id: flags.text('session'),
      model: flags.text('model'),
      outcome: flags.choice('outcome', outcomes),
      kind: flags.text('kind'),
    };
    const last = flags.number('last', 0, 10_000) ?? 10;
    const intervalMs = (flags.number('interval', 0.05, 3600) ?? 1) * 1000;
    const api = createApi(readConnection(flags, env), {
      signal: stop.signal,
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry: (message, waitMs) => {
        if (waitMs > 1000) terminal.err(`waiting: ${plain(message)}`);
      },
    });
    const follower = createFollower(api, query);
    try {
      for (let verdicts = await follower.begin(last); ; verdicts = await follower.next()) {
        for (const verdict of verdicts)
          terminal.out(terminal.json ? JSON.stringify(verdict) : describeVerdict(verdict));
        await sleep(intervalMs, undefined, { signal: stop.signal });
      }
    } catch (error) {
      if (stop.signal.aborted) return 0;
      throw error;
    }
  },
};

export interface Follower {
  /** The last `count`, oldest first. Verdicts that settled before them are never returned. */
  begin(count: number): Promise<Verification[]>;
  /** Verdicts that settled since, oldest first, each once. */
  next(): Promise<Verification[]>;
}

export function createFollower(api: Api, query: VerdictQuery): Follower {
  /** Settlement time of each verdict that a later poll may return again. */
  const seen = new Map<string, number>();
  let newest = Number.NEGATIVE_INFINITY;

  function note(verdict: Verification): boolean {
    const at = Date.parse(verdict.settled_at ?? verdict.created_at);
    newest = Math.max(newest, at);
    if (seen.has(verdict.id)) return false;
    seen.set(verdict.id, at);
    return true;
  }

  return {
    async begin(count) {
      const past: Verification[] = [];
      let read = 0;
      for await (const verdict of listVerdicts(api, query)) {
        note(verdict);
        if (past.length < count) past.push(verdict);
        // Verdicts within the overlap must be recorded too; otherwise the next poll would return
        // them as new.
        if (
          ++read >= count &&
          Date.parse(verdict.settled_at ?? verdict.created_at) < newest - overlapMs
        )
          break;
      }
      return past.reverse();
    },
    async next() {
      const fresh: Verification[] = [];
      const from = Number.isFinite(newest) ? new Date(newest - overlapMs).toISOString() : undefined;
      for await (const verdict of listVerdicts(api, { ...query, from }))
        if (note(verdict)) fresh.push(verdict);
      for (const [id, at] of seen) if (at < newest - overlapMs) seen.delete(id);
      return fresh.reverse();
    },
  };
}
