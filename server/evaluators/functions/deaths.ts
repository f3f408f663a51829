import { functionBoxLimits } from './box-process';

/** How a process ended: by a limit, by itself, or by Assay. */
export type Death =
  | { readonly by: 'time' | 'load_time' | 'memory' | 'output' | 'forgery' }
  /** `code` of a signal is 128 and its number. */
  | { readonly by: 'exit' | 'signal'; readonly code: number }
  /** Not ended by the function: it was idle, or its turn was over. */
  | { readonly by: 'closing' }
  /** The sandbox stopped it for a reason that is not the function's. */
  | { readonly by: 'sandbox' }
  | { readonly by: 'setup'; readonly fault: string };

/** One sentence for the author of a function whose call ended its process. */
export function describeDeath(death: Death, timeoutMs: number): string {
  return death.by === 'time'
    ? `evaluate did not return within timeout_ms (${timeoutMs} ms)`
    : `evaluate ${describe(death)}`;
}

/** The same for a process that ended while it loaded the source. */
export const describeLoadDeath = (death: Death): string =>
  death.by === 'load_time'
    ? 'the source was not loaded within 30 s: code outside of evaluate takes too long'
    : `the source ${describe(death)} while it was loaded`;

function describe(death: Death): string {
  switch (death.by) {
    case 'memory':
      return `used more than ${functionBoxLimits.memoryBytes / 1024 / 1024} MiB of memory`;
    case 'output':
      return 'printed more than the sandbox accepts';
    case 'forgery':
      return 'wrote to descriptor 3, which is reserved for results';
    case 'exit':
      return `ended its process (exit code ${death.code})`;
    case 'signal':
      return `ended its process (signal ${death.code - 128})`;
    case 'time':
    case 'load_time':
      return 'took too long';
    case 'setup':
      return `was not run: ${death.fault}`;
    case 'closing':
    case 'sandbox':
      return 'was stopped with its sandbox';
  }
}
