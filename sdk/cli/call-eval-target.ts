import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { EvaluationItem, EvaluationTarget } from '../client/evaluation';
import { messageOf } from '../client/post';
import { CliFailure } from './failure';
import type { EvalTarget } from './read-eval';
import { isRecord } from './stored-verifiers';

type LocalTarget = Exclude<EvalTarget, { type: 'remote' }>;
type Of<Type extends LocalTarget['type']> = Extract<LocalTarget, { type: Type }>;

/**
 * A target on this machine, as a function. It must end when its signal aborts; otherwise it is not
 * awaited.
 * @throws CliFailure if the module cannot be loaded
 */
export async function openEvalTarget(target: LocalTarget): Promise<EvaluationTarget> {
  switch (target.type) {
    case 'command':
      return (item, { signal }) => runCommand(target, item, signal);
    case 'module':
      return loadModule(target);
    case 'url':
      return (item, { signal }) => post(target, item, signal);
  }
}

/** The item as JSON on standard input; the answer on standard output, as JSON or as text. */
function runCommand(
  { command, folder }: Of<'command'>,
  item: EvaluationItem,
  stop: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: folder,
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: stop,
      killSignal: 'SIGKILL',
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err = (err + chunk).slice(-keptStderrChars);
    });
    child.once('error', reject);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(item));
    child.once('close', (code, signal) => {
      if (code !== 0) reject(new Error(failureOf(code, signal, err)));
      else if (out.trim() === '') reject(new Error('the command printed nothing'));
      else resolve(jsonOrText(out));
    });
  });
}

const keptStderrChars = 20_000;
const shownChars = 500;

function failureOf(code: number | null, signal: string | null, stderr: string): string {
  const exitText = code === null ? `ended by ${String(signal)}` : `exit code ${code}`;
  const reason = informative(stderr);
  return reason === '' ? exitText : `${exitText}: ${reason}`;
}

/** The end of an output, without the lines of Node that follow the message of an error. */
function informative(stderr: string): string {
  const lines = stderr.trim().split(/\r?\n/);
  const outputLines = lines.filter((line) => !/^\s+at |^Node\.js v\d|^[\s^~]*$/.test(line));
  // By code points, so that no character is cut in two.
  const text = (outputLines.length > 0 ? outputLines : lines).join('\n');
  return Array.from(text).slice(-shownChars).join('');
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trimEnd();
  }
}

async function loadModule({ file }: Of<'module'>): Promise<EvaluationTarget> {
  const loaded: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be loaded: ${messageOf(error)}`);
  });
  const answer = isRecord(loaded) ? loaded.default : undefined;
  if (typeof answer !== 'function')
    throw new CliFailure(`${file} must have a function as its default export`);
  return answer as EvaluationTarget;
}

/** Posts the item, or the body of the file with `{{input}}` filled in. */
async function post(
  { url, headers, body }: Of<'url'>,
  item: EvaluationItem,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body === undefined ? item : filled(body, item.input)),
    signal,
  });
  const text = await response.text();
  if (!response.ok) {
    const reason = Array.from(text.trim()).slice(0, shownChars).join('');
    const statusText = `the target answered with the status ${response.status}`;
    throw new Error(reason === '' ? statusText : `${statusText}: ${reason}`);
  }
  if (text.trim() === '') throw new Error('the target answered with an empty body');
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
