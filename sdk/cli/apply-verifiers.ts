import type { Api } from './api';
import { exitCodes } from './failure';
import { type DefinitionFault, putDefinition } from './put-definition';
import { readDefinitions } from './read-definitions';
import { isRecord } from './stored-verifiers';
import type { Terminal } from './terminal';

interface Applied {
  readonly slug: string;
  readonly file: string;
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly version: number;
  readonly prompt: { readonly version: number; readonly state: string } | null;
  /** Keys of tuned thresholds, which apply instead of the definition's. */
  readonly overridden: readonly string[];
}

/**
 * Stores every definition; a refused one does not stop the others.
 * @throws CliFailure before anything is stored, if a file is not valid
 */
export async function applyVerifiers(
  api: Api,
  terminal: Terminal,
  files: readonly string[],
  isReset: boolean,
): Promise<number> {
  const definitions = await readDefinitions(files);
  const applied: Applied[] = [];
  const faults: DefinitionFault[] = [];
  for (const definition of definitions) {
    terminal.status(`applying ${definition.slug}`);
    const reply = await putDefinition(api, definition, {
      reset_thresholds: isReset ? 'true' : undefined,
    });
    if ('faults' in reply) {
      faults.push(...reply.faults);
      if (!terminal.json) for (const { message } of reply.faults) terminal.err(message);
      continue;
    }
    const one = readApplied(definition.slug, definition.file, reply.reply);
    applied.push(one);
    if (!terminal.json) for (const line of describe(one)) terminal.out(line);
  }
  if (terminal.json) terminal.out(JSON.stringify({ data: applied, errors: faults }));
  if (faults.length === 0) return exitCodes.done;
  return applied.length === 0 ? exitCodes.failed : exitCodes.someRefused;
}

function readApplied(
  slug: string,
  file: string,
  { version, created, prompt, overridden }: Readonly<Record<string, unknown>>,
): Applied {
  const isNew = created === true;
  return {
    slug,
    file,
    status: !isNew ? 'unchanged' : version === 1 ? 'created' : 'updated',
    version: Number(version),
    prompt: isRecord(prompt)
      ? { version: Number(prompt.version), state: String(prompt.state) }
      : null,
    overridden: Array.isArray(overridden) ? overridden.map(String) : [],
  };
}

function describe({ slug, status, version, prompt, overridden }: Applied): string[] {
  const change = {
    created: `created v${version}`,
    updated: `updated to v${version}`,
    unchanged: `unchanged (v${version})`,
  }[status];
  const state = prompt === null ? '' : `, prompt v${prompt.version} ${promptState(prompt.state)}`;
  const lines = [`${slug}: ${change}${state}`];
  if (prompt !== null && prompt.state !== 'production')
    lines.push('  The draft is not in use; promote it on the Prompts page');
  if (overridden.length > 0)
    lines.push(`  Overridden thresholds: ${overridden.join(', ')} (--reset-thresholds drops them)`);
  return lines;
}

const promptState = (state: string): string =>
  state === 'production' ? 'in production' : `is a ${state}`;
