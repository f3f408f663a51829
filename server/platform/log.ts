import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * drizzle's error repeats the statement with its values: session tokens, password hashes, people's
 * texts (S-101). PostgreSQL's message is in its cause.
 */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('params' in error)
    return error.cause instanceof Error ? withoutValues(error.cause) : new Error('a query failed');
  const cause = withoutValues(error.cause);
  if (cause === error.cause) return error;
  const clean = new Error(error.message, { cause });
  return Object.assign(clean, {
    name: error.name,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  });
}

/** JSON lines on standard output; fields with the name of a secret are redacted. */
export function createLog(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    serializers: {
      err: (error: unknown) => pino.stdSerializers.err(withoutValues(error) as Error),
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'password',
        'authorization',
        'key',
        'token',
        'secret',
        '*.password',
        '*.authorization',
      ],
      censor: '[hidden]',
    },
  });
}
