// The protocol with the harness in a box. Assay sends lines of JSON: first
// `[source, packages, kept, [printed, result], reason]` (limits in bytes and characters), then
// `[token, arguments]` for each subject. The harness answers, in order:
// `["ready", [[parameter, required], …], takesAll]` or `["fault", cause, message, line]`, then
// `[token, milliseconds, "ok", value, printed, null]` or
// `[token, milliseconds, "bad", reason, printed, line]`. The token is unknown to the code that runs
// before its subject is sent, so an answer to another subject is not easily forged.
import { z } from 'zod';
import { cleanText } from '../../domain';
import type { FunctionParameter, LoadFault, LoadedFunction } from './call';
import { resultLimits } from './outcome';

/** Bytes of printed text that are kept. */
const printedBytesMax = 8_192;
/** A function that prints more than this many bytes fails. */
const printedBytes = 1024 * 1024;
/** Characters of a result as JSON. */
const resultChars = 65_536;
/** Bytes of one answer: a result and the kept text, with every character escaped. */
const longestLine = 12 * (resultChars + printedBytesMax);

/** @param packages folder of Python packages inside the box; null if there is none */
export const firstLine = (source: string, packages: string | null): string =>
  `${JSON.stringify([
    source,
    packages,
    printedBytesMax,
    [printedBytes, resultChars],
    resultLimits.faultChars,
  ])}\n`;

export interface FunctionAnswer {
  readonly state: 'answer';
  readonly token: string;
  readonly durationMs: number;
  readonly stdout: string;
  readonly returned: { readonly value: unknown } | { readonly fault: string };
  readonly line: number | null;
}

export type HarnessLine = FunctionAnswer | LoadedFunction | LoadFault;

const text = z
  .string()
  .max(2 * resultChars)
  .transform((value) => cleanText(value).text);
const line = z.number().int().nullable();
const Answered = z.union([
  z.tuple([z.string(), z.number(), z.literal('ok'), z.unknown(), text, line]),
  z.tuple([z.string(), z.number(), z.literal('bad'), text, text, line]),
]);
const Ready = z.tuple([
  z.literal('ready'),
  z.array(z.tuple([z.string().max(200), z.boolean()])).max(1_000),
  z.boolean(),
]);
const Faulty = z.tuple([z.literal('fault'), z.enum(['syntax', 'load', 'signature']), text, line]);

/** @returns null for a line that no harness writes */
export function readLine(written: string): HarnessLine | null {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return null;
  }
  const [first]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (first === 'ready') return asLoaded(value);
  return first === 'fault' ? asFault(value) : asAnswer(value);
}

function asLoaded(value: unknown): LoadedFunction | null {
  const { data } = Ready.safeParse(value);
  if (data === undefined) return null;
  const [, named, takesAll] = data;
  const parameters = named.map(([name, required]): FunctionParameter => ({ name, required }));
  return { state: 'loaded', parameters, takesAll };
}

function asFault(value: unknown): LoadFault | null {
  const { data } = Faulty.safeParse(value);
  if (data === undefined) return null;
  const [, cause, message, at] = data;
  return { state: 'fault', cause, message, line: at };
}

function asAnswer(value: unknown): FunctionAnswer | null {
  const { data } = Answered.safeParse(value);
  if (data === undefined) return null;
  const [token, durationMs, , , stdout, at] = data;
  const returned = data[2] === 'ok' ? { value: data[3] } : { fault: data[3] };
  return { state: 'answer', token, durationMs, stdout, returned, line: at };
}

/**
 * Takes bytes and returns the lines that they complete, without empty ones.
 * @returns null once a line is longer than any that a harness writes
 */
export function createLineReader(): (part: Buffer) => readonly string[] | null {
  let pendingChunks: Buffer[] = [];
  let length = 0;
  return (part) => {
    const lines: string[] = [];
    let from = 0;
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, from)) {
      const line = Buffer.concat([...pendingChunks, part.subarray(from, at)]);
      if (line.length > longestLine) return null;
      if (line.length > 0) lines.push(line.toString('utf8'));
      pendingChunks = [];
      length = 0;
      from = at + 1;
    }
    length += part.length - from;
    if (length > longestLine) return null;
    if (from < part.length) pendingChunks.push(Buffer.from(part.subarray(from)));
    return lines;
  };
}
