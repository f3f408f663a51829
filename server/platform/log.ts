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

/** Limits of one line: characters of a text, members of an object, levels below the line. */
const charsMax = 4_000;
const membersMax = 50;
const levelsMax = 6;

/** The value within the limits; omitted parts are counted. Errors have a serializer. */
function cut(value: unknown, levels = levelsMax): unknown {
  if (typeof value === 'string')
    return value.length <= charsMax
      ? value
      : `${value.slice(0, charsMax)}… (${value.length} characters)`;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error && levels === levelsMax - 1) return value;
  if (levels === 0) return '…';
  const members = Object.entries(value);
  const entries = members
    .slice(0, membersMax)
    .map(([key, each]) => [String(cut(key)), cut(each, levels - 1)]);
  if (members.length > membersMax) entries.push(['…', `${members.length - membersMax} more`]);
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

/** The message of pino for a line without one. */
function messageOf(fields: unknown): string | undefined {
  const error =
    typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : fields;
  return error instanceof Error ? error.message : undefined;
}

/**
 * The line as ASCII where JSON leaves a character that a terminal acts on, that ends a line for
 * some readers, or that reorders the text: C1 controls, U+2028, bidi controls.
 */
const inert = (line: string): string =>
  line.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * JSON, one line each, on standard output, of bounded length and without raw control characters
 * (S-107); fields with the name of a secret are redacted.
 */
export function createLog(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    formatters: {
      log: (fields) => cut(fields) as Record<string, unknown>,
    },
    hooks: {
      logMethod(args, method) {
        const [fields, message = messageOf(fields), ...more] = args as unknown[];
        const all = message === undefined ? [fields] : [fields, message, ...more];
        method.apply(
          this,
          all.map((each) => (typeof each === 'string' ? cut(each) : each)) as typeof args,
        );
      },
      streamWrite: inert,
    },
    serializers: {
      err: (error: unknown) => cut(pino.stdSerializers.err(withoutValues(error) as Error)),
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
