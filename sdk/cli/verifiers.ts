import { type Api, createApi } from './api';
import { applyVerifiers } from './apply-verifiers';
import { type Flags, readConnection } from './arguments';
import type { Command } from './command';
import { definitionYaml } from './definition-yaml';
import { diffExitCodes, diffVerifiers } from './diff-verifiers';
import { CliFailure, exitCodes } from './failure';
import { nearest } from './nearest';
import { isOfRelease, isRecord, listDescribed, readStored } from './stored-verifiers';
import { plain, type Terminal } from './terminal';

const help = `assay verifiers list              lists all verifiers, their kinds and versions
assay verifiers apply FILE…       creates or updates the verifiers that the files define
  --reset-thresholds                drops tuned thresholds, so that those of the definitions apply
assay verifiers diff FILE…        compares the files with the stored definitions, by line
assay verifiers export SLUG…      prints definitions as YAML that apply accepts
  --all                             of all verifiers that the project defined and did not archive
Files are YAML or JSON, with one definition in each document; - reads standard input.
Scope write; read for list and export. With --json the result is JSON.
Exit code 0 done, 1 failed, 3 some definitions were refused.
Exit code of diff: 0 no difference, 1 a difference, 4 error.
`;

const subcommands = ['list', 'apply', 'diff', 'export'] as const;

export const verifiers: Command = {
  help,
  failureCode: (args) =>
    args.find((each) => !each.startsWith('-')) === 'diff' ? diffExitCodes.failed : exitCodes.failed,
  options: {
    'reset-thresholds': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
  async run(flags, terminal, env) {
    const [subcommandName = '', ...names] = flags.positionals;
    const name = readSubcommand(subcommandName);
    requireFlags(flags, name);
    const api = createApi(readConnection(flags, env));
    switch (name) {
      case 'list':
        if (names.length > 0)
          throw new CliFailure(`list takes no argument; remove "${plain(names.join(' '))}"`);
        return list(api, terminal);
      case 'apply':
        return applyVerifiers(
          api,
          terminal,
          requireFiles(name, names),
          flags.has('reset-thresholds'),
        );
      case 'diff':
        return diffVerifiers(api, terminal, requireFiles(name, names));
      case 'export':
        return exportVerifiers(api, terminal, names, flags.has('all'));
    }
  },
};

function readSubcommand(name: string): (typeof subcommands)[number] {
  const found = subcommands.find((each) => each === name);
  if (found !== undefined) return found;
  if (name === '') throw new CliFailure(`A subcommand is required: ${subcommands.join(', ')}`);
  const near = nearest(name, subcommands);
  throw new CliFailure(
    near === null
      ? `"${plain(name)}" is not a subcommand; the subcommands are ${subcommands.join(', ')}`
      : `"${plain(name)}" is not a subcommand; did you mean "${near}"?`,
  );
}

function requireFlags(flags: Flags, name: string): void {
  if (flags.has('reset-thresholds') && name !== 'apply')
    throw new CliFailure('--reset-thresholds is an option of apply only');
  if (flags.has('all') && name !== 'export')
    throw new CliFailure('--all is an option of export only');
}

function requireFiles(name: string, files: readonly string[]): readonly string[] {
  if (files.length === 0)
    throw new CliFailure(`A file is required: assay verifiers ${name} FILE…; - is standard input`);
  return files;
}

async function list(api: Api, terminal: Terminal): Promise<number> {
  const all = await listDescribed(api);
  if (terminal.json) {
    terminal.out(JSON.stringify({ data: all }));
    return exitCodes.done;
  }
  const rows = all.map((each) => [
    String(each.slug),
    isOfRelease(each) ? 'built in' : String(each.kind),
    `v${String(each.version)}`,
    stateOf(each),
  ]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows)
    terminal.out(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  return exitCodes.done;
}

function stateOf({ name, slug, archived, overridden }: Readonly<Record<string, unknown>>): string {
  const parts = [
    ...(typeof name === 'string' && name !== slug ? [plain(name)] : []),
    ...(archived === true ? ['archived'] : []),
    ...(Array.isArray(overridden) && overridden.length > 0
      ? [`overridden: ${overridden.join(', ')}`]
      : []),
  ];
  return parts.join('; ');
}

/** @throws CliFailure for an unknown slug */
async function exportVerifiers(
  api: Api,
  terminal: Terminal,
  slugs: readonly string[],
  isAll: boolean,
): Promise<number> {
  if (isAll === slugs.length > 0)
    throw new CliFailure(
      isAll
        ? '--all exports every verifier; remove the slugs or --all'
        : 'A slug is required: assay verifiers export SLUG…, or --all',
    );
  const all = await listDescribed(api);
  const selected = isAll
    ? all.filter((each) => !isOfRelease(each) && each.archived !== true)
    : [...new Set(slugs)].map((slug) => requireDefined(all, slug));
  const texts: string[] = [];
  const definitions: unknown[] = [];
  for (const described of selected) {
    const { slug, archived, definition, draft } = await readStored(api, described);
    const notes = [
      ...(archived ? [`# Archived: apply restores ${slug}.\n`] : []),
      ...(draft === null
        ? []
        : [`# The prompt is v${draft.version}, a draft; v${draft.production} is in production.\n`]),
    ];
    texts.push(`${notes.join('')}${definitionYaml(definition)}`);
    definitions.push(definition);
  }
  if (terminal.json) terminal.out(JSON.stringify(definitions));
  else if (texts.length === 0) terminal.err('The project defines no verifier');
  else terminal.out(texts.join('---\n').replace(/\n$/, ''));
  return exitCodes.done;
}

function requireDefined(
  all: readonly Readonly<Record<string, unknown>>[],
  slug: string,
): Readonly<Record<string, unknown>> {
  const found = all.find((each) => each.slug === slug);
  if (found !== undefined && !isOfRelease(found)) return found;
  if (found !== undefined)
    throw new CliFailure(
      `"${plain(slug)}" is built in and has no definition; its settings are on its page in the console`,
    );
  const near = nearest(
    slug,
    all.filter((each) => isRecord(each) && !isOfRelease(each)).map((each) => String(each.slug)),
  );
  throw new CliFailure(
    near === null
      ? `There is no verifier "${plain(slug)}"; assay verifiers list shows all`
      : `There is no verifier "${plain(slug)}"; did you mean "${near}"?`,
  );
}
