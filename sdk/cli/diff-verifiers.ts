import { createTwoFilesPatch } from 'diff';
import type { Api } from './api';
import { definitionYaml } from './definition-yaml';
import { CliFailure } from './failure';
import { putDefinition } from './put-definition';
import { type Definition, readDefinitions } from './read-definitions';
import { completePrompt, findStored, type StoredVerifier } from './stored-verifiers';
import type { Terminal } from './terminal';

/** Exit codes of `assay verifiers diff`; 4 as for `gate`, since 1 is a result. */
export const diffExitCodes = { same: 0, different: 1, failed: 4 } as const;

interface Difference {
  readonly slug: string;
  readonly file: string;
  readonly status: 'new' | 'changed' | 'archived' | 'unchanged';
  /** The stored version; null for a new verifier. */
  readonly version: number | null;
  /** Unified, by line; empty if nothing differs. */
  readonly diff: string;
}

/**
 * Compares the files with the stored definitions. The server adds the defaults of omitted members
 * to both, so that a file that was just applied has no difference.
 * @throws CliFailure
 */
export async function diffVerifiers(
  api: Api,
  terminal: Terminal,
  files: readonly string[],
): Promise<number> {
  const found: Difference[] = [];
  for (const definition of await readDefinitions(files)) {
    terminal.status(`comparing ${definition.slug}`);
    const completed = await complete(api, definition);
    const stored = await findStored(api, definition.slug);
    const one = compare(definition, completed, stored);
    found.push(one);
    if (terminal.json) continue;
    if (one.status === 'archived')
      terminal.err(`${one.slug} is archived; apply restores it as the next version`);
    if (stored?.draft)
      terminal.err(
        `${one.slug}: compared with prompt v${stored.draft.version}, a draft; v${stored.draft.production} is in production`,
      );
    if (one.diff !== '') terminal.out(one.diff.trimEnd());
  }
  if (terminal.json) terminal.out(JSON.stringify({ data: found }));
  return found.every(({ status }) => status === 'unchanged')
    ? diffExitCodes.same
    : diffExitCodes.different;
}

/** @throws CliFailure with every fault of the definition */
async function complete(api: Api, definition: Definition): Promise<Record<string, unknown>> {
  const reply = await putDefinition(api, definition, { dry_run: 'true' });
  if ('reply' in reply) return reply.reply;
  throw new CliFailure(reply.faults.map(({ message }) => message).join(' '));
}

function compare(
  { slug, file }: Definition,
  completed: Readonly<Record<string, unknown>>,
  stored: StoredVerifier | null,
): Difference {
  const before = stored === null ? '' : definitionYaml(stored.definition);
  const after = definitionYaml(completePrompt(completed));
  const version = stored?.version ?? null;
  if (before === after)
    return { slug, file, status: stored?.archived ? 'archived' : 'unchanged', version, diff: '' };
  const name = version === null ? `${slug} (not stored)` : `${slug} (stored, v${version})`;
  const options = { context: 3 };
  const patch = createTwoFilesPatch(name, `${slug} (${file})`, before, after, '', '', options);
  return {
    slug,
    file,
    status: stored === null ? 'new' : stored.archived ? 'archived' : 'changed',
    version,
    diff: patch.replace(/^=+\n/, ''),
  };
}
