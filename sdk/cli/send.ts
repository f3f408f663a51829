import { randomUUID } from 'node:crypto';
import { readError, parseBatchReply } from '../client/read-reply';
import { type Api, createApi } from './api';
import { type Flags, readConnection } from './arguments';
import type { Command } from './command';
import { describeVerdict } from './describe-verdict';
import { CliFailure, exitCodes, withRemark } from './failure';
import { findVerdicts } from './find-verdicts';
import { readInput } from './read-input';
import { type BadTurn, type ReadTurn, readTurns } from './read-turns';
import { plain, type Terminal } from './terminal';

const help = `assay send FILE|-         sends turns: one as JSON, an array, {"turns":[…]}, or one a line
  --session ID            the session of all of them
  --model NAME            the model of all of them
  --wait SECONDS          waits for the verdicts and prints them
Prints the accepted, duplicate and rejected turns, with reasons. Exit code 0, 3 when turns were rejected, 1 when it failed.
`;

const batchTurns = 500;
const batchBytes = 4 * 1024 * 1024;

interface Sent {
  accepted: number;
  duplicates: number;
  readonly rejected: BadTurn[];
  /** Ids of the turns that the server has stored. */
  readonly ids: string[];
}

export const send: Command = {
  help,
  options: { session: { type: 'string' }, model: { type: 'string' }, wait: { type: 'string' } },
  async run(flags, terminal, env) {
    const api = createApi(readConnection(flags, env), {
      onRetry: (message) => terminal.status(`waiting: ${plain(message)}`),
    });
    const waitSeconds = flags.number('wait', 0, 86_400);
    const { turns, bad } = await readFile(flags);
    const sent: Sent = { accepted: 0, duplicates: 0, rejected: [...bad], ids: [] };
    for (const batch of cutBatches(turns)) {
      await sendBatch(api, batch, sent);
      if (turns.length > batch.length)
        terminal.status(`${sent.accepted + sent.duplicates} of ${turns.length} turns sent`);
    }
    sent.rejected.sort((a, b) => a.line - b.line);
    const verdicts =
      waitSeconds === undefined
        ? null
        : await findVerdicts(api, sent.ids, waitSeconds * 1000, terminal);
    if (terminal.json)
      terminal.out(
        JSON.stringify({
          ...sent,
          ...(verdicts === null ? {} : { verdicts: verdicts.found, pending: verdicts.missing }),
        }),
      );
    else {
      printSent(sent, terminal);
      for (const verdict of verdicts?.found ?? []) terminal.out(describeVerdict(verdict));
      for (const id of verdicts?.missing ?? []) terminal.out(`… pending ${plain(id)}`);
    }
    return sent.rejected.length === 0 ? exitCodes.done : exitCodes.someRefused;
  },
};

async function readFile(
  flags: Flags,
): Promise<{ turns: readonly ReadTurn[]; bad: readonly BadTurn[] }> {
  const [file, ...others] = flags.positionals;
  if (file === undefined || others.length > 0)
    throw new CliFailure('One file is required, or - for standard input; see assay send --help');
  const read = readTurns(
    await readInput(file),
    { session: flags.text('session'), model: flags.text('model') },
    () => `t-${randomUUID()}`,
  );
  if (read.turns.length === 0 && read.bad.length === 0)
    throw new CliFailure(`${file} has no turns`);
  return read;
}

function cutBatches(turns: readonly ReadTurn[]): ReadTurn[][] {
  const batches: ReadTurn[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const turn of turns) {
    const size = Buffer.byteLength(turn.text);
    const last = batches.at(-1);
    if (last === undefined || last.length >= batchTurns || bytes + size > batchBytes) {
      batches.push([turn]);
      bytes = size;
    } else {
      last.push(turn);
      bytes += size;
    }
  }
  return batches;
}

/** Sends a batch that is too large in halves; a single turn that is too large is rejected. */
async function sendBatch(api: Api, batch: readonly ReadTurn[], sent: Sent): Promise<void> {
  const body = `{"turns":[${batch.map((turn) => turn.text).join(',')}]}`;
  const { status, text } = await api.callRaw('/v1/turns', { body });
  if (status === 413 && batch.length > 1) {
    const half = Math.ceil(batch.length / 2);
    await sendBatch(api, batch.slice(0, half), sent);
    return sendBatch(api, batch.slice(half), sent);
  }
  const [first] = batch;
  if (status === 413 && first !== undefined) {
    sent.rejected.push({
      line: first.line,
      code: 'too_large',
      message: 'the turn is larger than the server takes',
    });
    return;
  }
  const reply = status >= 200 && status < 300 ? parseBatchReply(text, batch.length) : null;
  if (reply === null) {
    const { message } = readError(text, status);
    throw new CliFailure(
      withRemark(
        message,
        `${status} at /v1/turns; ${sent.accepted + sent.duplicates} turns were sent before`,
      ),
    );
  }
  sent.accepted += reply.accepted;
  sent.duplicates += reply.duplicates;
  const refused = new Set(reply.rejected.map(({ index }) => index));
  for (const { index, code, message } of reply.rejected)
    sent.rejected.push({ line: batch[index]?.line ?? 0, code, message });
  sent.ids.push(...batch.filter((_, index) => !refused.has(index)).map(({ id }) => id));
}

function printSent({ accepted, duplicates, rejected }: Sent, terminal: Terminal): void {
  terminal.out(`accepted ${accepted}, duplicates ${duplicates}, rejected ${rejected.length}`);
  for (const { line, code, message } of rejected)
    terminal.err(`line ${line}: ${plain(message)} (${code})`);
}
