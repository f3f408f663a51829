import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api';
import { CliFailure } from './failure';

/** A job of the server, as returned by `GET /v1/jobs/{id}`. */
export interface Job {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly done: number;
  /** Null until the server knows it. */
  readonly total: number | null;
  /** As many as the server stores; line 0 means the whole file. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
  readonly result: Readonly<Record<string, unknown>>;
  /** Reason of a failure. */
  readonly reason: string | null;
}

const states = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

/** Poll intervals: short at first, since small jobs finish quickly. */
const pollDelaysMs = [50, 100, 250, 500];

/**
 * Polls until the job has ended.
 *
 * @throws CliFailure, or the reason of the signal
 */
export async function followJob(
  api: Api,
  id: string,
  onPoll: (job: Job) => void,
  signal?: AbortSignal,
): Promise<Job> {
  for (let polls = 0; ; polls++) {
    const job = readJob(await api.call(`/v1/jobs/${encodeURIComponent(id)}`));
    onPoll(job);
    if (hasEnded(job)) return job;
    await sleep(
      pollDelaysMs[Math.min(polls, pollDelaysMs.length - 1)],
      undefined,
      signal === undefined ? {} : { signal },
    );
  }
}

export function hasEnded({ state }: Job): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** @throws CliFailure if the reply is not a job */
export function readJob(reply: Readonly<Record<string, unknown>>): Job {
  const { id } = reply;
  const state = states.find((known) => known === reply.state);
  if (typeof id !== 'string' || state === undefined)
    throw new CliFailure(
      'The server answered with a job that this command does not support; update the command',
    );
  const result =
    typeof reply.result === 'object' && reply.result !== null
      ? (reply.result as Record<string, unknown>)
      : {};
  return {
    id,
    state,
    done: typeof reply.done === 'number' ? reply.done : 0,
    total: typeof reply.total === 'number' ? reply.total : null,
    errors: Array.isArray(reply.errors) ? reply.errors.map(readFault) : [],
    result,
    reason: typeof reply.reason === 'string' ? reply.reason : null,
  };
}

function readFault(value: unknown): Job['errors'][number] {
  const { line, message } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return {
    line: typeof line === 'number' ? line : 0,
    message: typeof message === 'string' ? message : '',
  };
}
