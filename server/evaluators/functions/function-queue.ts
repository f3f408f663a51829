// The subjects that wait for one function, and the process that answers them, one at a time and in
// order. If the process dies, the subject that it worked on fails, and the others go on in a new
// process.
import { randomBytes } from 'node:crypto';
import type { BoxResult } from '../../sandbox';
import { type FunctionBoxes, type BoxProcess, startProcess } from './box-process';
import type {
  FunctionArguments,
  FunctionOutcome,
  FunctionSource,
  LoadedFunction,
  LoadFault,
} from './call';
import { chooseArguments } from './choose-arguments';
import { type Death, describeDeath, describeLoadDeath } from './deaths';
import type { FunctionAnswer, HarnessLine } from './lines';
import { readResult } from './outcome';
import type { PackageFolders } from './packages';

/** One subject, or a request to load only. */
export interface WaitingCall {
  readonly subject: FunctionArguments | null;
  readonly loaded: (loaded: LoadedFunction | LoadFault) => void;
  readonly settle: (outcome: FunctionOutcome) => void;
  /** Its caller no longer waits. */
  readonly isOver: () => boolean;
}

interface SentCall extends WaitingCall {
  readonly token: string;
  readonly bytes: number;
}

export interface QueueOptions {
  readonly boxes: FunctionBoxes;
  readonly source: FunctionSource;
  readonly packages: PackageFolders;
  /** Whether others wait for a process, so that this queue should release its own. */
  readonly isWanted: () => boolean;
  /** The queue needs a process; `start` is called when it may have one. */
  readonly request: () => void;
  /** The process created by `start` has exited. */
  readonly release: () => void;
}

const loadMs = 30_000;
/** A process without work stays this long, for the next subject. */
const idleMs = 1_000;
/** After this time a process releases its box: to other queues that wait, or in any case. */
const sliceMs = { wanted: 1_000, always: 20_000 } as const;
/**
 * Subjects that a process gets in advance, by the time of the last one. Each round trip costs more
 * than a subject, and a process releases its box only after the subjects that it has received.
 */
const ahead = [
  { underMs: 5, subjects: 256 },
  { underMs: 20, subjects: 64 },
] as const;
const aheadSlow = 2;
const aheadBytes = 1024 * 1024;
/** Processes in sequence that end without an answer and without a fault of the subject. */
const maxUnexplained = 2;
/** For reading an answer that came in time, on a busy machine. */
const graceMs = 100;

interface Process {
  readonly box: BoxProcess;
  phase: 'waiting' | 'loading' | 'ready';
  startedAt: number;
  answers: number;
  isClosing: boolean;
  /** Why this side ended it; null if it did not. */
  killed: Death | null;
}

export class FunctionQueue {
  readonly #options: QueueOptions;
  readonly #waiting: WaitingCall[] = [];
  /** In order; the process works on the first. */
  #sent: SentCall[] = [];
  #loaded: LoadedFunction | null = null;
  #process: Process | null = null;
  #hasAsked = false;
  #unexplained = 0;
  /** Until an answer shows it, a function counts as slow. */
  #lastMs = Number.POSITIVE_INFINITY;
  #lastToken = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  add(calls: readonly WaitingCall[]): void {
    this.#waiting.push(...calls);
    const process = this.#process;
    if (process?.phase === 'ready') {
      for (const call of calls) if (this.#loaded !== null) call.loaded(this.#loaded);
      if (process.killed === null) this.#fill(process);
    }
    this.#request();
  }

  /** Starts a process, or passes the turn on if nothing waits any more. */
  start(): void {
    this.#hasAsked = false;
    while (this.#waiting[0]?.isOver() === true) this.#waiting.shift();
    if (this.#waiting.length === 0) return this.#options.release();
    const wallMs = loadMs + sliceMs.always + 2 * this.#options.source.timeoutMs + 10_000;
    const box = startProcess(
      { ...this.#options, wallMs },
      {
        started: () => {
          process.phase = 'loading';
          process.startedAt = performance.now();
          this.#arm(process, loadMs, { by: 'load_time' });
        },
        line: (line) => this.#onLine(process, line),
        ended: (result) => this.#onEnd(process, result),
      },
    );
    const process: Process = {
      box,
      phase: 'waiting',
      startedAt: performance.now(),
      answers: 0,
      isClosing: false,
      killed: null,
    };
    this.#process = process;
  }

  /** Ends an idle process, so that another queue gets its place; a busy one notices by itself. */
  yieldIdle(): void {
    if (this.#process?.phase === 'ready' && this.#sent.length === 0)
      kill(this.#process, { by: 'closing' });
  }

  close(): void {
    this.#failAll(sandboxFault('the worker is stopping'));
    if (this.#process !== null) kill(this.#process, { by: 'closing' });
  }

  #request(): void {
    if (this.#hasAsked || this.#process !== null || this.#waiting.length === 0) return;
    this.#hasAsked = true;
    this.#options.request();
  }

  /** Reads data that has already arrived before it acts on the time. */
  #arm(process: Process, ms: number, death: Death): void {
    clearTimeout(this.#timer);
    const [head] = this.#sent;
    const { phase } = process;
    this.#timer = setTimeout(() => {
      setImmediate(() => {
        const isSame = this.#process === process && this.#sent[0] === head;
        if (isSame && process.phase === phase) kill(process, death);
      });
    }, ms);
  }

  #onLine(process: Process, line: HarnessLine | null): void {
    const isExpected = line !== null && (line.state === 'answer') === (process.phase === 'ready');
    if (!isExpected) return kill(process, { by: 'forgery' });
    if (line.state === 'fault') {
      this.#failAll(line);
      return kill(process, { by: 'closing' });
    }
    if (line.state === 'loaded') {
      this.#loaded = line;
      process.phase = 'ready';
      for (const call of this.#waiting) call.loaded(line);
    } else if (!this.#isAnswered(process, line)) return;
    this.#fill(process);
  }

  #isAnswered(process: Process, answer: FunctionAnswer): boolean {
    const [head] = this.#sent;
    // A second answer to the same subject is that subject's doing, not the next one's.
    if (answer.token === this.#lastToken) return false;
    if (head?.token !== answer.token) {
      kill(process, { by: 'forgery' });
      return false;
    }
    this.#sent.shift();
    this.#lastToken = answer.token;
    this.#lastMs = answer.durationMs;
    this.#unexplained = 0;
    process.answers += 1;
    head.settle(outcomeOf(answer));
    return true;
  }

  /** Sends all permitted subjects, and decides which events to wait for. */
  #fill(process: Process): void {
    const { isWanted, source } = this.#options;
    const age = performance.now() - process.startedAt;
    process.isClosing ||= age > (isWanted() ? sliceMs.wanted : sliceMs.always);
    const lines = process.isClosing ? [] : this.#takeLines();
    if (lines.length > 0) process.box.send(lines);
    if (this.#sent.length > 0) this.#arm(process, source.timeoutMs + graceMs, { by: 'time' });
    else if (process.isClosing || isWanted()) kill(process, { by: 'closing' });
    else this.#arm(process, idleMs, { by: 'closing' });
  }

  #takeLines(): readonly string[] {
    const lines: string[] = [];
    const sent = this.#sent;
    const waitingAhead = ahead.find(({ underMs }) => this.#lastMs < underMs)?.subjects ?? aheadSlow;
    let bytes = sent.reduce((sum, call) => sum + call.bytes, 0);
    // Refilled by halves, since each message to the process costs more than a line of it.
    if (sent.length > waitingAhead / 2 || bytes > aheadBytes / 2) return lines;
    while (sent.length < waitingAhead && (sent.length === 0 || bytes < aheadBytes)) {
      const call = this.#waiting.shift();
      if (call === undefined || this.#loaded === null) break;
      if (call.subject === null || call.isOver()) continue;
      const chosen = chooseArguments(this.#loaded, call.subject);
      if ('missing' in chosen) {
        call.settle(failed(chosen.missing));
        continue;
      }
      const token = randomBytes(9).toString('base64url');
      const line = `["${token}",${chosen.json}]\n`;
      bytes += line.length;
      sent.push({ ...call, token, bytes: line.length });
      lines.push(line);
    }
    return lines;
  }

  #failAll(fault: LoadFault): void {
    for (const call of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) {
      call.loaded(fault);
      call.settle(failed(fault.message, fault.line));
    }
  }

  #onEnd(process: Process, result: BoxResult): void {
    clearTimeout(this.#timer);
    this.#process = null;
    this.#options.release();
    const death = process.killed ?? deathOf(result);
    const isReady = process.phase === 'ready';
    if (death.by === 'setup') this.#failAll(sandboxFault(death.fault));
    else if (!isReady && death.by === 'sandbox')
      this.#failAll(sandboxFault('the sandbox was stopped'));
    else if (!isReady && death.by !== 'closing')
      this.#failAll({
        state: 'fault',
        cause: 'load',
        message: describeLoadDeath(death),
        line: null,
      });
    else this.#blame(process, death);
    this.#waiting.unshift(...this.#sent.splice(0));
    this.#request();
  }

  /** The first subject without an answer is the one that the process worked on. */
  #blame(process: Process, death: Death): void {
    if (death.by === 'closing') return;
    const isExplained = death.by !== 'sandbox';
    this.#unexplained = isExplained || process.answers > 0 ? 0 : this.#unexplained + 1;
    if (!isExplained && this.#unexplained < maxUnexplained) return;
    this.#unexplained = 0;
    this.#sent.shift()?.settle(failed(describeDeath(death, this.#options.source.timeoutMs)));
  }
}

function kill(process: Process, death: Death): void {
  process.killed ??= death;
  process.box.kill();
}

const sandboxFault = (reason: string): LoadFault => ({
  state: 'fault',
  cause: 'sandbox',
  message: `the function was not run: ${reason}`,
  line: null,
});

const failed = (reason: string, line: number | null = null): FunctionOutcome => ({
  state: 'failed',
  reason,
  line,
  stdout: '',
  durationMs: null,
});

function outcomeOf({ returned, stdout, durationMs, line }: FunctionAnswer): FunctionOutcome {
  const result = 'fault' in returned ? returned : readResult(returned.value);
  return 'fault' in result
    ? { state: 'failed', reason: result.fault, line, stdout, durationMs }
    : { state: 'returned', ...result, stdout, durationMs };
}

/** A box that was stopped from outside, or by its own time limit, does not reflect on a subject. */
function deathOf({ end, exitCode, fault }: BoxResult): Death {
  if (end === 'setup') return { by: 'setup', fault: fault ?? 'there is no sandbox' };
  if (end === 'timeout' || end === 'interrupted') return { by: 'sandbox' };
  return end === 'exit' || end === 'signal' ? { by: end, code: exitCode ?? 0 } : { by: end };
}
