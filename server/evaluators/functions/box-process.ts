// One process in a box that runs one function, and takes its requests line by line.
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type BoxJob, type BoxMonitor, type BoxResult, nodeInBox } from '../../sandbox';
import type { FunctionSource } from './call';
import { javascriptHarness } from './javascript-harness';
import { createLineReader, firstLine, type HarnessLine, readLine } from './lines';
import { noPackages, type PackageFolders, packagesIn } from './packages';
import { pythonHarness } from './python-harness';

const mib = 1024 * 1024;
/** Limits of the box of a function; a subject's time limit is its own. */
export const functionBoxLimits = {
  memoryBytes: 512 * mib,
  tasks: 64,
  outputBytes: 64 * 1024,
  diskBytes: 64 * mib,
} as const;

export interface BoxProcess {
  /** Sends lines, each with its line end. */
  send(lines: readonly string[]): void;
  /** Ends the box; `ended` follows. */
  kill(): void;
}

export interface ProcessEvents {
  /** The program has been started, and loads the source. */
  readonly started: () => void;
  /** Null if no harness writes such a line. */
  readonly line: (line: HarnessLine | null) => void;
  readonly ended: (result: BoxResult) => void;
}

/** The parts of the sandbox monitor that functions need. */
export type FunctionBoxes = Pick<BoxMonitor, 'run' | 'atOnce'>;

export interface ProcessOptions {
  readonly boxes: FunctionBoxes;
  readonly source: FunctionSource;
  readonly packages?: PackageFolders;
  /** Milliseconds after which the sandbox kills the process in any case. */
  readonly wallMs: number;
}

/**
 * Starts a process when a box is free. Events come later, never during this call.
 * @throws never: a box that cannot be created is an end with `setup`
 */
export function startProcess(
  { boxes, source, packages = noPackages, wallMs }: ProcessOptions,
  events: ProcessEvents,
): BoxProcess {
  const ending = new AbortController();
  const read = createLineReader();
  let input: Writable | null = null;
  const { job, pythonPath } = jobOf(source, packages, wallMs);
  const running = boxes.run(job, ending.signal, {
    started(opened) {
      input = opened;
      events.started();
      input.write(firstLine(source.source, pythonPath));
    },
    report(part) {
      if (ending.signal.aborted) return;
      const lines = read(part);
      if (lines === null) return events.line(null);
      for (const line of lines) {
        events.line(readLine(line));
        // Nothing after a fault of the protocol counts.
        if (ending.signal.aborted) return;
      }
    },
  });
  void running.then(events.ended);
  return {
    send(lines) {
      input?.write(lines.join(''));
    },
    kill: () => ending.abort(),
  };
}

/** The interpreter below /usr, which a box sees. */
const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));

/** Why functions of a language cannot run on this machine; null if they can. */
export const faultOfLanguage = (language: FunctionSource['language']): string | null =>
  language === 'python' && python === undefined
    ? 'python3 is not installed below /usr (Debian: apt-get install python3)'
    : null;

/**
 * The shell moves standard input to descriptor 9, so that code that reads its standard input reads
 * nothing, and puts everything printed, by child processes too, into a file that the harness reads.
 */
const redirect = 'exec "$@" 9<&0 </dev/null >>/tmp/output 2>&1';

function jobOf(
  { language }: FunctionSource,
  packages: PackageFolders,
  wallMs: number,
): { readonly job: BoxJob; readonly pythonPath: string | null } {
  const isPython = language === 'python';
  const harness = isPython ? '/opt/assay/function.py' : '/opt/assay/function.cjs';
  const node = nodeInBox();
  const program = isPython ? [python ?? '/usr/bin/python3', '-I', '-B'] : [node.program];
  const { binds, pythonPath } = packagesIn(packages, language);
  const job: BoxJob = {
    files: [],
    tools: [{ path: harness, content: isPython ? pythonHarness : javascriptHarness }],
    binds: [...(isPython ? [] : node.binds), ...binds],
    command: ['/bin/sh', '-c', redirect, 'sh', ...program, harness],
    report: true,
    limits: { ...functionBoxLimits, wallMs },
  };
  return { job, pythonPath };
}
