import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { RemoteTarget } from '../client/evaluation';
import { CliFailure } from './failure';
import { nearest } from './nearest';
import { isRecord } from './stored-verifiers';

/** The file of `assay eval run` (docs/how-to/evaluate-in-ci.md). */
export interface EvalFile {
  readonly name: string;
  /** A slug, or a slug and a version. */
  readonly dataset: string;
  /** A file of items that becomes the latest version of the dataset; null means the stored one. */
  readonly items: string | null;
  readonly target: EvalTarget;
  /** Limit of one call of a target on this machine. */
  readonly targetTimeoutMs: number;
  /** Members of the request that start the experiment, as in the file. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The body of the gate; null if none. */
  readonly gate: Readonly<Record<string, unknown>> | null;
  readonly concurrency: number;
  readonly repetitions: number;
}

/** Called on this machine, or, as `remote`, by the server. */
export type EvalTarget =
  | { readonly type: 'command'; readonly command: string; readonly folder: string }
  | { readonly type: 'module'; readonly file: string }
  | {
      readonly type: 'url';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly type: 'remote'; readonly target: RemoteTarget };

const members = [
  'name',
  'dataset',
  'items',
  'split',
  'repetitions',
  'target',
  'verifiers',
  'concurrency',
  'budget_usd',
  'branch',
  'commit',
  'baseline',
  'gate',
] as const;
const localMembers = ['command', 'module', 'url', 'headers', 'body', 'timeout_ms'] as const;

/** @throws CliFailure with the file, the line, the member and its fix */
export function readEval(file: string, text: string): EvalFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined)
    throw new CliFailure(
      `${file}, line ${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0] ?? ''}`,
    );
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const failed = (problem: string): CliFailure => new CliFailure(`${file}: ${problem}`);
  if (!isRecord(value)) throw failed(`must be an object with ${members.join(', ')}`);
  refuseUnknown(value, members, failed);
  const dataset = value.dataset;
  if (typeof dataset !== 'string')
    throw failed('dataset: is required; name one, such as refunds or refunds@3');
  const verifiers = value.verifiers;
  if (!Array.isArray(verifiers) || !verifiers.every((each) => typeof each === 'string'))
    throw failed('verifiers: is required, a list of names such as [integrity]');
  const items = value.items ?? null;
  if (items !== null && typeof items !== 'string')
    throw failed('items: must be the name of a JSONL or CSV file');
  const gate = value.gate ?? null;
  if (gate !== null && !isRecord(gate)) throw failed('gate: must be an object');
  const folder = dirname(resolve(file));
  const { name, target, gate: _gate, items: _items, ...request } = value;
  return {
    name: typeof name === 'string' ? name : dataset,
    dataset,
    items: items === null ? null : resolve(folder, items),
    target: readTarget(target, folder, failed),
    targetTimeoutMs: readTimeout(target, failed),
    request,
    gate,
    concurrency: countOf(value, 'concurrency', 4, 64, failed),
    repetitions: countOf(value, 'repetitions', 1, 100, failed),
  };
}

type Failed = (problem: string) => CliFailure;

function refuseUnknown(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  failed: Failed,
): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member)) continue;
    const near = nearest(member, known);
    throw failed(
      near === null
        ? `has no member "${member}"; the members are ${known.join(', ')}`
        : `has no member "${member}"; did you mean "${near}"?`,
    );
  }
}

function countOf(
  value: Readonly<Record<string, unknown>>,
  member: string,
  otherwise: number,
  max: number,
  failed: Failed,
): number {
  const configured = value[member] ?? otherwise;
  if (
    typeof configured !== 'number' ||
    !Number.isInteger(configured) ||
    configured < 1 ||
    configured > max
  )
    throw failed(`${member}: must be a whole number from 1 to ${max}`);
  return configured;
}

/** A target that the server calls has its own limit. */
const readTimeout = (target: unknown, failed: Failed): number =>
  isRecord(target) && target.type === undefined
    ? countOf(target, 'timeout_ms', 120_000, 3_600_000, (problem) => failed(`target.${problem}`))
    : 120_000;

function readTarget(value: unknown, folder: string, failed: Failed): EvalTarget {
  if (!isRecord(value))
    throw failed('target: is required: an object with command, module, url, or type');
  // The server refuses other types.
  if (typeof value.type === 'string')
    return { type: 'remote', target: value as unknown as RemoteTarget };
  refuseUnknown(value, localMembers, (problem) => failed(`target: ${problem}`));
  const { command, module, url, headers = {}, body } = value;
  if ([command, module, url].filter((each) => each !== undefined).length !== 1)
    throw failed('target: needs exactly one of command, module, url, or a type');
  if (typeof command === 'string') return { type: 'command', command, folder };
  if (typeof module === 'string') return { type: 'module', file: resolve(folder, module) };
  if (typeof url !== 'string' || !URL.canParse(url))
    throw failed('target.url: must be the address of an HTTP server');
  if (!isRecord(headers) || !Object.values(headers).every((each) => typeof each === 'string'))
    throw failed('target.headers: must be an object of texts');
  refusePlaceholders(body, 'target.body', inputPlaceholder, failed);
  refusePlaceholders(url, 'target.url', null, failed);
  refusePlaceholders(headers, 'target.headers', null, failed);
  return { type: 'url', url, headers: headers as Record<string, string>, body };
}

const inputPlaceholder = '{{input}}';

/**
 * A placeholder that is not filled in would be sent as text.
 * @param known null if the member has no placeholders
 */
function refusePlaceholders(
  value: unknown,
  path: string,
  known: string | null,
  failed: Failed,
): void {
  if (typeof value === 'string') {
    const found = [...value.matchAll(/\{\{\s*[\w.-]+\s*\}\}/g)].map(([text]) => text);
    const other = found.find((text) => text !== known);
    if (other === undefined) return;
    throw failed(
      known === null
        ? `${path}: cannot have the placeholder ${other}; only target.body can have {{input}}`
        : `${path}: has the unknown placeholder ${other}; the only known one is ${known}`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    refusePlaceholders(member, at, known, failed);
  }
}
