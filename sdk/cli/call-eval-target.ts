import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../client/post';
import { CliFailure } from './failure';
import type { EvalTarget } from './read-eval';
import { isRecord } from './stored-verifiers';

/** An item as the server lists it. */
export interface EvalItem {
  readonly id: string;
  readonly input: unknown;
  readonly [member: string]: unknown;
}

/** As `POST /v1/experiments/{id}/outputs` takes it, without the item. */
export type EvalOutput =
  | {
      readonly output: unknown;
      readonly tools?: unknown;
      readonly cost_usd?: unknown;
      readonly latency_ms: number;
    }
  | { readonly error: string };

type LocalTarget = Exclude<EvalTarget, { type: 'remote' }>;

/**
 * Answers items on this machine. The reference stays hidden from the target. A target that fails on
 * an item gives its reason.
 * @throws CliFailure if the module cannot be loaded
 */
export async function openEvalTarget(
  target: LocalTarget,
): Promise<(item: EvalItem) => Promise<EvalOutput>> {
  const answer = await answerer(target);
  return async ({ reference: _hidden, ...item }) => {
    const began = performance.now();
    try {
      const answered = await answer(item as EvalItem);
      const latencyMs = Math.round(performance.now() - began);
      if (answered === undefined) return { error: 'the target returned nothing' };
      return { ...shapeOf(answered), latency_ms: latencyMs };
    } catch (error) {
      return { error: messageOf(error).slice(0, 2000) };
    }
  };
}

/** An object with `output` may also have `tools` and `cost_usd`; anything else is the output. */
function shapeOf(answered: unknown) {
  if (!isRecord(answered) || !('output' in answered)) return { output: answered };
  const { output, tools, cost_usd } = answered;
  return {
    output,
    ...(tools === undefined ? {} : { tools }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  };
}

async function answerer(target: LocalTarget): Promise<(item: EvalItem) => Promise<unknown>> {
  switch (target.type) {
    case 'command':
      return (item) => runCommand(target, item);
    case 'module':
      return loadModule(target);
    case 'url':
      return (item) => post(target, item);
  }
}

/** The item as JSON on standard input; the answer on standard output, as JSON or as text. */
function runCommand(
  { command, timeoutMs, folder }: Extract<LocalTarget, { type: 'command' }>,
  item: EvalItem,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: folder,
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-2000);
    });
    child.once('error', reject);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(item));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(jsonOrText(out));
      else
        reject(
          new Error(
            signal === 'SIGKILL'
              ? `no answer within ${timeoutMs} ms`
              : `exit code ${code ?? String(signal)}: ${err.trim().split('\n').at(-1) ?? ''}`,
          ),
        );
    });
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trimEnd();
  }
}

async function loadModule({ file, timeoutMs }: Extract<LocalTarget, { type: 'module' }>) {
  const loaded: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be loaded: ${messageOf(error)}`);
  });
  const answer = isRecord(loaded) ? loaded.default : undefined;
  if (typeof answer !== 'function')
    throw new CliFailure(`${file} must have a function as its default export`);
  return async (item: EvalItem): Promise<unknown> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([(answer as (item: EvalItem) => unknown)(item), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Posts the item, or the body of the file with `{{input}}` filled in. */
async function post(
  { url, headers, body, timeoutMs }: Extract<LocalTarget, { type: 'url' }>,
  item: EvalItem,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body === undefined ? item : filled(body, item.input)),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the target answered with the status ${response.status}`);
  return jsonOrText(text);
}

function filled(value: unknown, input: unknown): unknown {
  if (value === '{{input}}') return input;
  if (typeof value === 'string')
    return value.replaceAll('{{input}}', () =>
      typeof input === 'string' ? input : JSON.stringify(input),
    );
  if (Array.isArray(value)) return value.map((each) => filled(each, input));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, filled(member, input)]),
    );
  return value;
}
