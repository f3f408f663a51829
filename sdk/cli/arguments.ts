import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliFailure } from './failure';

export type FlagOptions = NonNullable<ParseArgsConfig['options']>;

/** Connection of every command to the HTTP API: address and key. */
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

type Given = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export class Flags {
  readonly #values: Given;
  readonly positionals: readonly string[];

  constructor(values: Given, positionals: readonly string[]) {
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

  /** @throws CliFailure when it is not a number from `low` to `high` */
  number(name: string, low: number, high: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() === '' || !(value >= low && value <= high))
      throw new CliFailure(`--${name} is "${text}": a number from ${low} to ${high} is needed`);
    return value;
  }

  /** @throws CliFailure when it is not one of `allowed` */
  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = allowed.find((value) => value === text);
    if (found === undefined)
      throw new CliFailure(`--${name} is "${text}": one of ${allowed.join(', ')} is needed`);
    return found;
  }

  /** RFC 3339, or anything that Date reads, as RFC 3339. @throws CliFailure */
  time(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const at = new Date(text);
    if (Number.isNaN(at.getTime()))
      throw new CliFailure(`--${name} is "${text}": a time such as 2026-01-31T12:00:00Z is needed`);
    return at.toISOString();
  }
}

/** @throws CliFailure on a flag that the command does not have */
export function readFlags(args: readonly string[], options: FlagOptions): Flags {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, ...everywhere },
      allowPositionals: true,
    });
    return new Flags(values, positionals);
  } catch (error) {
    // Node explains at length how to pass such a value; the first sentence names the error.
    throw new CliFailure(
      error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error),
    );
  }
}

/** @throws CliFailure when the key is missing or the address is invalid */
export function readConnection(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const url = (flags.text('url') ?? (env.ASSAY_URL || 'http://localhost:4318'))
    .trim()
    .replace(/\/+$/, '');
  const key = (flags.text('key') ?? env.ASSAY_API_KEY ?? '').trim();
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new CliFailure(`"${url}" is no address of an HTTP server: see --url and ASSAY_URL`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CliFailure(
      'An API key is needed: --key or ASSAY_API_KEY (assay keys create makes one)',
    );
  return { url, key };
}
