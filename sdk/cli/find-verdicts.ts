import { setTimeout as sleep } from 'node:timers/promises';
import type { Verification } from '../client/turn';
import type { Api } from './api';
import { listVerdicts, type VerdictQuery } from './list-verdicts';
import type { Terminal } from './terminal';

/** Poll interval. */
const pollMs = 300;
const atOnce = 4;

export interface FoundVerdicts {
  /** In the order of the ids. */
  readonly found: readonly Verification[];
  /** Turns that have no verdict yet. */
  readonly missing: readonly string[];
}

/**
 * The verdicts on these turns; waits up to `timeoutMs` for missing ones.
 *
 * @throws CliFailure
 */
export async function findVerdicts(
  api: Api,
  ids: readonly string[],
  timeoutMs: number,
  terminal: Terminal,
  query: VerdictQuery = {},
): Promise<FoundVerdicts> {
  const found = new Map<string, Verification[]>();
  const end = performance.now() + timeoutMs;
  for (let missing = [...new Set(ids)]; ; ) {
    await forEach(missing, async (id) => {
      const verdicts = await collect(listVerdicts(api, { ...query, turn_id: id }));
      if (verdicts.length > 0) found.set(id, verdicts);
    });
    missing = missing.filter((id) => !found.has(id));
    if (missing.length === 0 || performance.now() >= end)
      return { found: ids.flatMap((id) => found.get(id) ?? []), missing };
    terminal.status(`waiting for ${missing.length} of ${ids.length} verdicts`);
    await sleep(Math.min(pollMs, Math.max(1, end - performance.now())));
  }
}

async function collect(verdicts: AsyncIterable<Verification>): Promise<Verification[]> {
  const all: Verification[] = [];
  for await (const verdict of verdicts) all.push(verdict);
  return all;
}

async function forEach(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const left = [...ids];
  const next = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
