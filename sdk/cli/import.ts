import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createApi } from './api';
import { type Flags, readConnection } from './arguments';
import type { Command } from './command';
import { CliFailure, exitCodes } from './failure';
import { type ImportFile, importFile, type Imported } from './import-file';
import { jsonFault } from './json-fault';
import { presets } from './presets';
import { readInput, unreadable } from './read-input';
import { stopOnSignals } from './stop-on-signals';
import { plain, type Terminal } from './terminal';

const help = `assay import FILE… --mapping MAP.json|--preset NAME     imports rows of CSV or JSONL files, as a job that can be cancelled
  --mapping FILE            JSON: which columns or paths are input, output, model, label and so on (docs/reference/import-mapping.md)
  --preset NAME             a built-in mapping: ${[...presets.keys()].join(', ')}
  --references FILE         texts that rows name by "content_ref": JSONL of {"id","content"}, or a JSON object of texts by name
  --format csv|jsonl        if the file name does not determine it (.csv, .tsv; others are JSONL)
  --dry-run                 reads the files, reports lines that are not JSON, and sends nothing
Ctrl+C cancels the job and reports the imported rows. Exit code 0, 3 when rows were rejected, 1 when it failed, 130 when cancelled.
`;

const shownErrors = 100;
const formats = ['csv', 'jsonl'] as const;

export const importRows: Command = {
  help,
  options: {
    mapping: { type: 'string' },
    preset: { type: 'string' },
    references: { type: 'string' },
    format: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
  async run(flags, terminal, env) {
    const connection = readConnection(flags, env);
    const mapping = await readMapping(flags);
    if (flags.positionals.length === 0)
      throw new CliFailure('A file is required; see assay import --help');
    const files = await Promise.all(
      flags.positionals.map((path) => describeFile(path, flags, mapping)),
    );
    const stop = stopOnSignals(terminal);
    const imported: Imported[] = [];
    for (const file of files) {
      if (stop.aborted) break;
      const one = await importFile(createApi(connection), {
        file,
        mapping,
        signal: stop,
        dryRun: flags.has('dry-run'),
        terminal,
      });
      imported.push(one);
      if (!terminal.json) printImport(one, terminal);
    }
    if (terminal.json) terminal.out(JSON.stringify({ cancelled: stop.aborted, files: imported }));
    if (stop.aborted) return exitCodes.interrupted;
    if (imported.some((one) => one.failure !== null)) return exitCodes.failed;
    return imported.some((one) => one.refused > 0) ? exitCodes.someRefused : exitCodes.done;
  },
};

async function readMapping(flags: Flags): Promise<Readonly<Record<string, unknown>>> {
  const file = flags.text('mapping');
  const preset = flags.text('preset');
  if (file === undefined && preset === undefined)
    throw new CliFailure('--mapping or --preset is required; see assay import --help');
  const known = preset === undefined ? {} : presets.get(preset);
  if (known === undefined)
    throw new CliFailure(
      `--preset must be one of ${[...presets.keys()].join(', ')}, not "${preset}"`,
    );
  const mapping = {
    ...known,
    ...(file === undefined ? {} : parseObject(file, await readInput(file))),
  };
  const texts = flags.text('references');
  return texts === undefined
    ? mapping
    : withTexts(mapping, readTexts(texts, await readInput(texts)));
}

/** Texts of the references file take precedence over those of the mapping. */
function withTexts(
  mapping: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const mappingTexts = asObject(mapping.references) ?? {};
  return {
    ...mapping,
    references: { ...mappingTexts, texts: { ...asObject(mappingTexts.texts), ...texts } },
  };
}

/** @throws CliFailure with the line of an entry that is not a named text or has a duplicate name */
function readTexts(file: string, text: string): Readonly<Record<string, string>> {
  const value = parsed(text);
  const isOne = asObject(value) !== undefined && !isEntry(value);
  const entries: readonly (readonly [where: string, name: unknown, content: unknown])[] = isOne
    ? Object.entries(asObject(value) ?? {}).map(([name, content]) => [
        `${file}: "${plain(name)}"`,
        name,
        content,
      ])
    : text.split('\n').flatMap((line, at) => {
        const { id, content } = asObject(parsed(line)) ?? {};
        return line.trim() === '' ? [] : [[`${file}:${at + 1}`, id, content]];
      });
  const texts = new Map<string, string>();
  for (const [where, name, content] of entries) {
    if (typeof name !== 'string' || name === '' || typeof content !== 'string')
      throw new CliFailure(
        `${where} is not a text with a name; write {"id":"…","content":"…"} on a line, or one JSON object of texts by name`,
      );
    if (texts.has(name))
      throw new CliFailure(
        `${where} repeats the name "${plain(name)}"; give each text its own name`,
      );
    texts.set(name, content);
  }
  if (texts.size === 0) throw new CliFailure(`${file} has no texts`);
  return Object.fromEntries(texts);
}

const isEntry = (value: unknown): boolean => {
  const names = Object.keys(asObject(value) ?? {});
  return names.includes('id') && names.includes('content');
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parseObject(file: string, text: string): Readonly<Record<string, unknown>> {
  const fault = jsonFault(text);
  if (fault !== '') throw new CliFailure(`${file} is not valid JSON: ${fault}`);
  const value = asObject(parsed(text));
  if (value === undefined) throw new CliFailure(`${file} must hold one JSON object`);
  return value;
}

async function describeFile(
  path: string,
  flags: Flags,
  mapping: Readonly<Record<string, unknown>>,
): Promise<ImportFile> {
  try {
    const { size } = await stat(path);
    const named = /\.(csv|tsv)$/i.test(path) ? 'csv' : 'jsonl';
    const format =
      flags.choice('format', formats) ?? formats.find((known) => known === mapping.format) ?? named;
    const delimiter =
      typeof mapping.delimiter === 'string' ? mapping.delimiter : /\.tsv$/i.test(path) ? '\t' : ',';
    return {
      path,
      name: basename(path),
      size,
      format,
      delimiter,
      open: () => createReadStream(path),
    };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw unreadable(path, error);
  }
}

function printImport(
  { file, state, rows, refused, result, errors, failure }: Imported,
  terminal: Terminal,
): void {
  for (const { line, message } of errors.slice(0, shownErrors))
    terminal.err(`${file}${line === 0 ? '' : `:${line}`}: ${plain(message)}`);
  if (errors.length > shownErrors) terminal.err(`${file}: … and more`);
  const counts = Object.entries(result).filter(
    ([name, count]) => count > 0 || name.endsWith('.accepted'),
  );
  const countsText = counts
    .map(([name, count]) => `, ${count} ${plain(name.replace('.', ' '))}`)
    .join('');
  terminal.out(`${file}: ${state}, ${rows} rows, ${refused} refused${countsText}`);
  if (failure !== null) terminal.err(`${file}: ${plain(failure)}`);
}
