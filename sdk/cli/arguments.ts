import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliFailure } from './failure';
import { nearest } from './nearest';

export type FlagOptions = NonNullable<ParseArgsConfig['options']>;

/** Connection of every command to the HTTP API: URL and key. */
export interface Connection {
  readonly url: string;
  readonly key: string;
}

const everywhere = {
  url: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies FlagOptions;

type ParsedFlags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export class Flags {
  readonly #values: ParsedFlags;
  readonly positionals: readonly string[];

  constructor(values: ParsedFlags, positionals: readonly string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  has(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** @throws CliFailure unless it is a number from `low` to `high` */
  number(name: string, low: number, high: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !(value >= low && value <= high))
      throw new CliFailure(`--${name} must be a number from ${low} to ${high}, not "${text}"`);
    return value;
  }

  /** @throws CliFailure if it is not one of `allowed` */
  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = allowed.find((value) => value === text);
    if (found === undefined)
      throw new CliFailure(`--${name} must be one of ${allowed.join(', ')}, not "${text}"`);
    return found;
  }

  /** A time in RFC 3339, parsed from any format that Date accepts. @throws CliFailure */
  time(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const at = new Date(text);
    if (Number.isNaN(at.getTime()))
      throw new CliFailure(`--${name} must be a time such as 2026-01-31T12:00:00Z, not "${text}"`);
    return at.toISOString();
  }
}

/** @throws CliFailure for a flag that the command does not have */
export function readFlags(args: readonly string[], options: FlagOptions): Flags {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, ...everywhere },
      allowPositionals: true,
    });
    return new Flags(values, positionals);
  } catch (error) {
    throw new CliFailure(flagFault(error, Object.keys({ ...options, ...everywhere })));
  }
}

/** Describes the flag error of Node's parser, whose message has the flag in quotes. */
function flagFault(error: unknown, known: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const flag = /'(?:-\w, )?(--?[^' =]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(flag.replace(/^-+/, ''), known);
    return near === null
      ? `${flag} is not an option; the options are ${known.map((name) => `--${name}`).join(', ')}`
      : `${flag} is not an option; did you mean --${near}?`;
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message.split('. ')[0] ?? message;
  return message.includes('does not take an argument')
    ? `${flag} must not have a value`
    : `${flag} needs a value; write ${flag}=VALUE for one that begins with "-"`;
}

/** @throws CliFailure if the key is missing or the URL is invalid */
export function readConnection(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const url = (flags.text('url') ?? (env.ASSAY_URL || 'http://localhost:4318'))
    .trim()
    .replace(/\/+$/, '');
  const key = (flags.text('key') ?? env.ASSAY_API_KEY ?? '').trim();
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new CliFailure(
      `"${url}" is not the address of an HTTP server; set --url or ASSAY_URL to one such as http://localhost:4318`,
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CliFailure(
      'An API key is required; set --key or ASSAY_API_KEY (assay keys create prints one)',
    );
  return { url, key };
}
