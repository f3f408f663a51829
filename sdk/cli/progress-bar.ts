import type { Terminal } from './terminal';

/** Progress of an import: a bar on a terminal, otherwise a line every ten seconds. */
export interface ProgressBar {
  /** `fraction` 0 to 1; `rows` done. */
  show(fraction: number, rows: number): void;
}

const lineEveryMs = 10_000;

export function createProgressBar(
  terminal: Terminal,
  what: string,
  now: () => number = () => performance.now(),
): ProgressBar {
  const began = now();
  let shownAt = began;
  return {
    show(fraction, rows) {
      const elapsedMs = now() - began;
      const text = describeProgress(fraction, rows, elapsedMs);
      if (terminal.isScreen) {
        const width = Math.max(10, Math.min(30, terminal.columns - what.length - text.length - 6));
        const full = Math.round(Math.min(1, fraction) * width);
        terminal.status(`${what} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${text}`);
      } else if (!terminal.json && now() - shownAt >= lineEveryMs) {
        shownAt = now();
        terminal.err(`${what} ${text}`);
      }
    },
  };
}

/** `1,200 rows, 45%, 310 rows/s, 12 s left` */
export function describeProgress(fraction: number, rows: number, elapsedMs: number): string {
  const perSecond = elapsedMs > 0 ? Math.round((rows * 1000) / elapsedMs) : 0;
  const leftMs = fraction > 0.01 ? (elapsedMs * (1 - fraction)) / fraction : null;
  const parts = [
    `${rows.toLocaleString('en')} rows`,
    `${Math.floor(fraction * 100)}%`,
    `${perSecond.toLocaleString('en')} rows/s`,
  ];
  return [...parts, ...(leftMs === null ? [] : [`${durationOf(leftMs)} left`])].join(', ');
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
