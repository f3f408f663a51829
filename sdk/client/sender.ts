import { backoff, isRetryable } from './backoff';
import { WakeSignal, keepProcessAlive, callListener } from './wake-signal';
import type { AssayOptions, DropReason, Rejection, Settings } from './options';
import { post, type Posted } from './post';
import { type Batch, type Item, SendQueue } from './queue';
import type { Counts } from './stats';
import { readError, parseBatchReply } from './read-reply';

type Listeners = Pick<AssayOptions, 'onReject' | 'onDrop' | 'onRetry'>;

/**
 * Sends queued items in order, one request at a time, until the server has stored or finally
 * rejected each. Every item ends in exactly one count. No method throws, and no promise rejects.
 */
export class Sender {
  readonly #settings: Settings;
  readonly #listeners: Listeners;
  readonly #counts: Counts;
  readonly #queue = new SendQueue();
  readonly #wakeSignal = new WakeSignal();
  readonly #stop = new AbortController();
  #running = false;
  /** Halved when a server, or a proxy in front of it, rejects a batch as too large. */
  #maxBytes: number;
  #attempt = 0;
  #failingSince = 0;
  #notBefore = 0;
  /** The server requested the pause: a flush does not shorten it. */
  #pauseAsked = false;
  #hurry = false;
  #flushers = 0;
  #offered = 0;
  #finished = 0;
  readonly #waiters = new Set<() => void>();

  constructor(settings: Settings, listeners: Listeners, counts: Counts) {
    this.#settings = settings;
    this.#listeners = listeners;
    this.#counts = counts;
    this.#maxBytes = settings.maxBatchBytes;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  offer(item: Item): void {
    const { maxQueueBytes } = this.#settings;
    if (this.#stop.signal.aborted) this.drop([item], 'closed');
    else if (item.bytes > maxQueueBytes) this.drop([item], 'too_large');
    else if (this.#queue.bytes + item.bytes > maxQueueBytes) this.drop([item], 'queue_full');
    else {
      this.#queue.push(item);
      this.#offered++;
      if (!this.#running) {
        this.#running = true;
        this.#run().catch(() => {
          // A defect here must not reach the host: the next item restarts the loop.
          this.#running = false;
        });
      } else if (this.#isFull()) this.#wakeSignal.wake();
    }
  }

  drop(items: readonly Item[], reason: DropReason): void {
    this.#counts.dropped[reason] += items.length;
    for (const { route, id } of items)
      callListener(this.#listeners.onDrop, { kind: kindOf(route), id, reason });
  }

  reject(item: Pick<Item, 'route' | 'id'>, why: Omit<Rejection, 'kind' | 'id'>): void {
    this.#counts.rejected++;
    callListener(this.#listeners.onReject, { kind: kindOf(item.route), id: item.id, ...why });
  }

  /** Resolves when half of the queue is free. */
  async ready(): Promise<void> {
    await this.#until(
      () => this.#queue.bytes * 2 <= this.#settings.maxQueueBytes,
      Number.POSITIVE_INFINITY,
    );
  }

  /**
   * Sends everything queued so far without waiting to fill a batch; false if `timeoutMs` was not
   * enough.
   */
  async flush(timeoutMs: number): Promise<boolean> {
    const target = this.#offered;
    this.#flushers++;
    this.#hurry = true;
    this.#wakeSignal.wake();
    const done = await this.#until(() => this.#finished >= target, timeoutMs);
    this.#flushers--;
    if (this.#flushers === 0) this.#hurry = false;
    return done;
  }

  /** Accepts nothing more, and drops waiting items and items in flight. */
  abandon(reason: 'closed' | 'exit'): void {
    this.#stop.abort();
    this.drop(this.#finish(this.#queue.length), reason);
    this.#wakeSignal.wake();
  }

  /**
   * Checks `isSo` after any progress, and returns true once it holds; false after `timeoutMs`, or
   * when everything was stopped.
   */
  async #until(isSo: () => boolean, timeoutMs: number): Promise<boolean> {
    const release = keepProcessAlive();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let late = false;
    try {
      while (!isSo()) {
        if (late || this.#stop.signal.aborted) return false;
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            this.#waiters.delete(wake);
            resolve();
          };
          this.#waiters.add(wake);
          if (timer === undefined && timeoutMs < 2 ** 31) {
            timer = setTimeout(() => {
              late = true;
              for (const waiter of this.#waiters) waiter();
            }, timeoutMs);
          }
        });
      }
      return true;
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #isFull(): boolean {
    return (
      this.#queue.length >= this.#settings.maxBatchItems || this.#queue.bytes >= this.#maxBytes
    );
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const waitMs = this.#waitMs(performance.now());
      if (waitMs > 0) await this.#wakeSignal.wait(waitMs);
      else await this.#sendOne(this.#queue.peek(this.#settings.maxBatchItems, this.#maxBytes));
    }
    this.#running = false;
  }

  /** Remaining wait of the oldest item. */
  #waitMs(now: number): number {
    if (now < this.#notBefore) {
      if (!this.#hurry || this.#pauseAsked) return this.#notBefore - now;
      // One attempt per flush: an unavailable server is not called in a loop.
      this.#hurry = false;
      return 0;
    }
    if (this.#flushers > 0 || this.#isFull()) return 0;
    return (this.#queue.oldest?.takenAt ?? now) + this.#settings.maxAgeMs - now;
  }

  async #sendOne(batch: Batch): Promise<void> {
    const route = batch.items[0]?.route ?? 'turns';
    const body = `{"${route}":[${batch.items.map((item) => item.text).join(',')}]}`;
    this.#counts.requests++;
    const posted = await post(this.#settings, `/v1/${route}`, body, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    const { length } = batch.items;
    if (posted.kind === 'fault') return this.#retry(batch, posted, posted.message);
    const { status, text } = posted;
    if (status >= 200 && status < 300) {
      const reply = parseBatchReply(text, length);
      if (reply === null)
        return this.#retry(batch, posted, 'the answer does not come from the Assay API');
      this.#counts.accepted += reply.accepted;
      this.#counts.duplicates += reply.duplicates;
      for (const { index, code, message } of reply.rejected) {
        this.reject({ route, id: batch.items[index]?.id ?? '' }, { index, code, message, status });
      }
      return this.#answered(length);
    }
    const { code, message } = readError(text, status);
    if (isRetryable(status)) return this.#retry(batch, posted, message);
    if (status === 413 && length > 1) {
      this.#maxBytes = Math.floor(batch.bytes / 2);
      return;
    }
    for (const [index, item] of batch.items.entries())
      this.reject(item, { index, code, message, status });
    this.#answered(length);
  }

  #retry(batch: Batch, posted: Posted, message: string): void {
    const now = performance.now();
    if (this.#attempt === 0) this.#failingSince = now;
    if (now - this.#failingSince >= this.#settings.giveUpAfterMs) {
      this.drop(this.#finish(batch.items.length), 'gave_up');
      this.#attempt = 0;
      return;
    }
    this.#attempt++;
    this.#counts.retried++;
    const retryAfterMs = posted.kind === 'answer' ? posted.retryAfterMs : null;
    const waitMs = backoff(this.#attempt, this.#settings, retryAfterMs, Math.random());
    this.#notBefore = now + waitMs;
    this.#pauseAsked = retryAfterMs !== null && retryAfterMs > 0;
    callListener(this.#listeners.onRetry, {
      attempt: this.#attempt,
      waitMs,
      status: posted.kind === 'answer' ? posted.status : null,
      message,
    });
  }

  #answered(count: number): void {
    this.#counts.sent += count;
    this.#attempt = 0;
    this.#notBefore = 0;
    this.#finish(count);
  }

  #finish(count: number): Item[] {
    const removed = this.#queue.shift(count);
    this.#finished += removed.length;
    for (const waiter of this.#waiters) waiter();
    return removed;
  }
}

function kindOf(route: Item['route']): Rejection['kind'] {
  return route === 'turns' ? 'turn' : 'outcome';
}
