import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output; secrets never enter a field of their own name. */
export function createLog(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['password', 'authorization', 'key', 'token', 'secret', '*.password', '*.authorization'], censor: '[hidden]' },
  });
}
