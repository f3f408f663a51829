import { readFlags } from './arguments';
import type { Command } from './command';
import { CliFailure, exitCodes } from './failure';
import { evalRun } from './eval';
import { gate } from './gate';
import { importRows } from './import';
import { mcp } from './mcp';
import { nearest } from './nearest';
import { send } from './send';
import { tail } from './tail';
import { createTerminal } from './terminal';
import { verifiers } from './verifiers';

/**
 * The commands of `assay` that call the HTTP API and need nothing else of an instance
 * (docs/reference/cli.md).
 */
const commands = new Map<string, Command>([
  ['send', send],
  ['import', importRows],
  ['tail', tail],
  ['gate', gate],
  ['eval', evalRun],
  ['verifiers', verifiers],
  ['mcp', mcp],
]);

/** The first line of a command's help: its syntax and its effect. */
function summaryOf({ help: text }: Command): string {
  const [usage = '', ...purpose] = (text.split('\n')[0] ?? '').split(/ {2,}/);
  return `${usage.padEnd(46)} ${purpose.join(' ')}`;
}

const help = `Commands for a running server of Assay:

${[...commands.values()].map(summaryOf).join('\n')}
  --url URL, --key KEY   address and API key; else ASSAY_URL (http://localhost:4318) and ASSAY_API_KEY
  --json                 JSON on standard output; errors as {"error":{"message"}}
  --help                 after a command: its options
`;

async function run([name = '--help', ...args]: readonly string[]): Promise<number> {
  const command = commands.get(name);
  const json = args.includes('--json');
  const terminal = createTerminal(json);
  try {
    if (['--help', '-h', 'help'].includes(name)) {
      terminal.out(help.trimEnd());
      return exitCodes.done;
    }
    if (command === undefined) throw new CliFailure(unknownCommand(name));
    if (args.includes('--help') || args.includes('-h')) {
      terminal.out(command.help.trimEnd());
      return exitCodes.done;
    }
    // oxlint-disable-next-line node/no-process-env -- the one place of the SDK's commands that reads the environment
    return await command.run(readFlags(args, command.options), terminal, process.env);
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    terminal.err(json ? JSON.stringify({ error: { message: error.message } }) : error.message);
    return command?.failureCode?.(args) ?? error.exitCode;
  }
}

function unknownCommand(name: string): string {
  const names = [...commands.keys()];
  const near = nearest(name, names);
  const unknown = `There is no command "${name}"`;
  return near === null
    ? `${unknown}; the commands are ${names.join(', ')}`
    : `${unknown}; did you mean "${near}"?`;
}

const args = process.argv.slice(2);
run(args).then(
  (code) => {
    process.exitCode = code;
    // Kept-alive connections would delay the exit by seconds.
    process.stdout.write('', () => process.exit(code));
  },
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = commands.get(args[0] ?? '')?.failureCode?.(args.slice(1)) ?? 1;
    process.stderr.write('', () => process.exit());
  },
);
