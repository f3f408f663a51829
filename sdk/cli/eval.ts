import { readFile, writeFile } from 'node:fs/promises';
import type { EvaluationResult } from '../client/evaluation';
import { messageOf } from '../client/post';
import { runEvaluation } from '../client/run-evaluation';
import { type Api, createApi } from './api';
import { type Flags, readConnection } from './arguments';
import { openEvalTarget } from './call-eval-target';
import type { Command } from './command';
import { writeComment } from './comment';
import { evalMarkdown } from './eval-markdown';
import { evalJunit, evalLines, type EvalResult, isAnswered } from './eval-report';
import { CliFailure, exitCodes } from './failure';
import { listFailures } from './list-failures';
import { readComparison } from './read-comparison';
import { type EvalFile, readEval } from './read-eval';
import { readItemsFile } from './read-items-file';
import { stopOnSignals } from './stop-on-signals';
import { plain, type Terminal } from './terminal';

const help = `assay eval run FILE          runs the experiment in the file and evaluates its gate
  --branch NAME --commit SHA   identify the tested code, for later comparisons
  --budget USD                 overrides budget_usd of the file
  --junit FILE                 writes a report for continuous integration
  --markdown FILE              writes the result as Markdown
  --comment                    writes the result as a comment on the pull or merge request of this
                               build; replaces the previous comment (GITHUB_TOKEN, GITLAB_TOKEN)
  --embedded --verifiers FILE  runs on a temporary instance with the verifiers defined in the file;
                               needs the full server (a checkout, or the package @assay/server)
Scopes: verify, read and write (write only if the file has items). With --json the result is JSON.
Exit codes: 0 gate passed or none, 1 gate failed or no row answered, 4 error, 130 interrupted.
`;

const cancelForMs = 5_000;

export const evalRun: Command = {
  help,
  failureCode: () => 4,
  options: {
    branch: { type: 'string' },
    commit: { type: 'string' },
    budget: { type: 'string' },
    junit: { type: 'string' },
    markdown: { type: 'string' },
    comment: { type: 'boolean' },
    embedded: { type: 'boolean' },
    verifiers: { type: 'string' },
  },
  async run(flags, terminal, env) {
    refuseEmbedded(flags);
    const [subcommand, file, ...more] = flags.positionals;
    if (subcommand !== 'run' || file === undefined || more.length > 0)
      throw new CliFailure('Usage: assay eval run FILE; see assay eval --help');
    const evalFile = readEval(file, await readText(file));
    const connection = readConnection(flags, env);
    const signal = stopOnSignals(terminal);
    const api = createApi(connection, {
      onRetry: (message) => terminal.status(`waiting: ${plain(message)}`),
      signal,
    });
    const cancelApi = createApi(connection, { retryForMs: cancelForMs });
    try {
      const evaluation = await runFile({ api, terminal, evalFile, flags, signal, cancelApi });
      const result = await completeResult(api, evalFile.name, evaluation);
      const markdown = evalMarkdown(result, file);
      if (flags.has('comment')) await writeComment(env, markdown, terminal);
      await writeReports(flags, result, markdown);
      if (terminal.json) terminal.out(JSON.stringify(result));
      else for (const line of evalLines(result)) terminal.out(line);
      const isPassed = isAnswered(result) && result.gate?.passed !== false;
      return isPassed ? exitCodes.done : exitCodes.failed;
    } catch (error) {
      if (!signal.aborted) throw error;
      return exitCodes.interrupted;
    }
  },
};

/** The full server handles these flags itself and removes them before it calls this command. */
function refuseEmbedded(flags: Flags): void {
  if (flags.has('embedded'))
    throw new CliFailure(
      '--embedded needs the full server, which this program does not include: run ./assay eval run in a checkout of Assay, or assay eval run of the package @assay/server; or omit --embedded and give --url and --key',
    );
  if (flags.text('verifiers') !== undefined)
    throw new CliFailure(
      '--verifiers requires --embedded; for a running server, run assay verifiers apply FILE first',
    );
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be read: ${messageOf(error)}`);
  });

const writeText = (file: string, text: string): Promise<void> =>
  writeFile(file, text).catch((error: unknown) => {
    throw new CliFailure(`${file} cannot be written: ${messageOf(error)}`);
  });

async function writeReports(flags: Flags, result: EvalResult, markdown: string): Promise<void> {
  const junitFile = flags.text('junit');
  const markdownFile = flags.text('markdown');
  if (junitFile !== undefined) await writeText(junitFile, evalJunit(result));
  if (markdownFile !== undefined) await writeText(markdownFile, markdown);
}

interface FileRun {
  readonly api: Api;
  readonly terminal: Terminal;
  readonly evalFile: EvalFile;
  readonly flags: Flags;
  readonly signal: AbortSignal;
  readonly cancelApi: Api;
}

async function runFile({ evalFile, flags, terminal, ...run }: FileRun): Promise<EvaluationResult> {
  const { items, name, target, ...plan } = evalFile;
  const budget = flags.number('budget', 0, 1e6);
  return runEvaluation(
    {
      ...plan,
      items: items === null ? null : await readItemsFile(items, await readText(items)),
      request: {
        ...evalFile.request,
        name,
        ...(budget === undefined ? {} : { budget_usd: budget }),
        ...textFlag('branch', flags),
        ...textFlag('commit', flags),
      },
      target: target.type === 'remote' ? target.target : await openEvalTarget(target),
    },
    {
      ...run,
      fail: (message) => new CliFailure(plain(message)),
      onStatus: (line) => terminal.status(line),
    },
  );
}

const textFlag = (name: string, flags: Flags): Record<string, string> => {
  const value = flags.text(name);
  return value === undefined ? {} : { [name]: value };
};

const completeResult = async (
  api: Api,
  name: string,
  { url, experiment, gate }: EvaluationResult,
): Promise<EvalResult> => ({
  name,
  url,
  experiment,
  gate,
  comparison: await readComparison(api, gate?.baseline ?? experiment.baseline, experiment.id),
  failures: await listFailures(api, experiment),
});
