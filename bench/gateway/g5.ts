import { type Contender, type Measured, median, quantileOf, runRounds } from '../rounds';
import { bound, compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';
import { figuresAnswer, figuresFrames, model, toolRows } from './answers.mjs';
import { figuresFloor } from './figures-floor';
import { type GatewaySetup, startGatewaySetup, type Mode, type Side } from './setup';
import { measureCalls } from './load';
import { openWire } from './wire-client';

const sourceBytes = 200 * 1024;
const connections = 16;

/**
 * G5: turns that are buffered and traced before they are delivered, compared with turns that are
 * passed through.
 */
export const g5: RowMaker = {
  name: 'G5',
  async make(stage, settings) {
    const setup = await startGatewaySetup(stage, settings);
    const sources = sourcesText();
    return [
      ...(await release(setup, settings, sources)),
      ...(await rates(setup, settings, sources)),
    ];
  },
};

/** 200 KB of rows, as a tool returns them. */
function sourcesText(): string {
  const rows = toolRows(10_000);
  let end = rows.length;
  for (
    let text = JSON.stringify(rows);
    text.length > sourceBytes;
    text = JSON.stringify(rows.slice(0, end))
  ) {
    end = Math.floor((end * sourceBytes) / text.length);
  }
  return JSON.stringify(rows.slice(0, end));
}

/**
 * A turn with a tool result; `hasFollowUp`: the user sends a further message, so that it is not a tool
 * follow-up (QV-5).
 */
function turnBody(
  sources: string,
  {
    stream = false,
    hasFollowUp = false,
  }: { readonly stream?: boolean; readonly hasFollowUp?: boolean },
): Buffer {
  return Buffer.from(
    JSON.stringify({
      model,
      stream,
      messages: [
        { role: 'system', content: 'You report on servers.' },
        { role: 'user', content: 'How full are the disks?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'disks', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: sources },
        ...(hasFollowUp ? [{ role: 'user', content: 'Tell me of the first fifty.' }] : []),
      ],
    }),
  );
}

/**
 * The time from the upstream's last byte to the client's, on one connection; the floor does the
 * minimum work of the verification in this process.
 */
async function release(setup: GatewaySetup, settings: Settings, sources: string): Promise<Row[]> {
  const calls = settings.smoke ? 20 : 200;
  const text = answerText();
  const body = turnBody(sources, {});
  const streamed = turnBody(sources, { stream: true });
  const contenders: Contender[] = [
    { name: 'floor', run: () => Promise.resolve(timeFloor(body, text, calls)) },
    ...(['figures', 'figures-stream'] as const).flatMap((mode) =>
      [setup.assay, setup.hold].map((side) => ({
        name: `${side.name} ${mode}`,
        run: () => releaseDelay(setup, side, mode, mode === 'figures' ? body : streamed, calls),
      })),
    ),
  ];
  const measured = await runRounds('G5 release', contenders, settings);
  const through = (mode: Mode): string => median(measured(`assay ${mode}`, 'p50Us')).toFixed(0);
  const title = "from the upstream's last byte to the client's, held for its figures";
  return [
    ...(['figures', 'figures-stream'] as const).map((mode) =>
      compare({
        figure: `G5 ${mode === 'figures' ? 'JSON' : 'stream'} ${title}, against byte scan, sort and regex of the same bytes, p50`,
        unit: 'us',
        assayValues: measured(`hold ${mode}`, 'p50Us'),
        floor: measured('floor', 'p50Us'),
        goal: { max: 1.5 },
        noVerdict: unlessAllPassed(measured(`hold ${mode}`, 'passed')),
        notes: [`200 KB of tool results, 100 figures; passed through ${through(mode)} us`],
      }),
    ),
    bound({
      figure: `G5 ${title}, p99, the worse of JSON and stream`,
      unit: 'ms',
      assayValues: measured('hold figures', 'p99Us').map(
        (us, round) => Math.max(us, measured('hold figures-stream', 'p99Us')[round] ?? 0) / 1000,
      ),
      goal: { max: 5 },
    }),
  ];
}

/** Concurrent calls of one session would all be verified, so each connection is a session. */
function sessions(side: Side, body: Buffer, width: number): Buffer[] {
  return Array.from({ length: width }, (_, n) =>
    side.message('figures', 'openai', body, `session-${n}`),
  );
}

/** A turn that was released at its deadline was not verified, so its time is meaningless. */
function unlessAllPassed(shares: readonly number[]): string | null {
  const minShare = Math.min(...shares);
  return minShare === 1
    ? null
    : `only ${Math.round(minShare * 100)} % were verified in time, the others were released unverified`;
}

function answerText(): string {
  const { choices } = JSON.parse(figuresAnswer().toString()) as {
    choices: { message: { content: string } }[];
  };
  return choices[0]?.message.content ?? '';
}

function timeFloor(body: Buffer, text: string, calls: number): { p50Us: number; p99Us: number } {
  const took = Array.from({ length: calls }, () => {
    const began = performance.now();
    if (figuresFloor(body, text) !== 0)
      throw new Error('void: a figure of the answer is not in the sources');
    return (performance.now() - began) * 1000;
  });
  return { p50Us: quantileOf(took, 0.5), p99Us: quantileOf(took, 0.99) };
}

/**
 * The mock reports the time of its last byte, by the monotonic clock that all processes of a
 * machine share.
 */
async function releaseDelay(
  setup: GatewaySetup,
  side: Side,
  mode: Mode,
  body: Buffer,
  calls: number,
): Promise<{ p50Us: number; p99Us: number; passed: number }> {
  const [wire, control] = await Promise.all([openWire(side.port), openWire(setup.mock.port)]);
  const request = side.message(mode, 'openai', body);
  const expected = mode === 'figures' ? figuresAnswer() : Buffer.concat(figuresFrames());
  const took: number[] = [];
  let passed = 0;
  for (let n = 0; n < calls; n++) {
    const reply = await wire.send({ request, keepsBody: true });
    const endedAt = process.hrtime.bigint();
    if (reply.status !== 200 || !sameBut(reply.body ?? Buffer.alloc(0), expected)) {
      throw new Error(
        `void: ${side.name} ${mode}: status ${reply.status}, ${reply.bytes} bytes for ${expected.length}; ${reply.head}`,
      );
    }
    if (isMarkedPassed(reply.head) || isMarkedPassed(reply.body?.toString() ?? '')) passed++;
    const seen = await control.send({
      request: Buffer.from('GET /seen/ HTTP/1.1\r\nhost: mock\r\n\r\n'),
      keepsBody: true,
    });
    const { lastByteAt } = JSON.parse(seen.body?.toString() ?? '{}') as { lastByteAt: string };
    took.push(Number(endedAt - BigInt(lastByteAt)) / 1000);
  }
  wire.close();
  control.close();
  await side.settle(calls);
  return { p50Us: quantileOf(took, 0.5), p99Us: quantileOf(took, 0.99), passed: passed / calls };
}

const isMarkedPassed = (text: string): boolean => /x-assay-verdict: passed/i.test(text);

/** Without Assay's comments. */
function sameBut(body: Buffer, expected: Buffer): boolean {
  if (body.equals(expected)) return true;
  return body.toString().replaceAll(/^:[^\n]*\n\n?/gm, '') === expected.toString();
}

async function rates(setup: GatewaySetup, settings: Settings, sources: string): Promise<Row[]> {
  const calls = settings.smoke ? 60 : 1_000;
  const expected = figuresAnswer();
  const body = turnBody(sources, { hasFollowUp: true });
  const tools = turnBody(sources, {});
  const contender = (
    name: string,
    side: Side,
    message: Buffer,
    width: number,
    count: number,
    only?: (head: string) => boolean,
  ): Contender => ({
    name,
    async run() {
      const durations: number[] = [];
      let passed = 0;
      const onReply = ({
        head,
        totalMs,
      }: {
        readonly head: string;
        readonly totalMs: number;
      }): void => {
        if (isMarkedPassed(head)) passed++;
        if (only?.(head) === true) durations.push(totalMs * 1000);
      };
      const load = {
        side,
        request: sessions(side, message, width),
        calls: count,
        connections: width,
        expected,
        hear: onReply,
      };
      const { rate, cpuUs, p50Us } = await measureCalls(load);
      return {
        rate,
        cpuUs,
        p50Us: only === undefined ? p50Us : quantileOf(durations, 0.5),
        passed: passed / count,
      };
    },
  });
  const measured = await runRounds(
    'G5 rates',
    [
      contender('off tools', setup.assay, tools, connections, calls),
      contender('hold tools', setup.hold, tools, connections, calls),
      contender('off', setup.assay, body, connections, calls),
      contender('ten', setup.ten, body, connections, calls),
      contender('off 1', setup.assay, body, 1, calls / 2),
      contender('ten 1', setup.ten, body, 1, calls / 2, (head) =>
        /\r\nx-assay-reason: not_due/i.test(head),
      ),
    ],
    settings,
  );
  return rateRows(measured);
}

function rateRows(measured: Measured): Row[] {
  const row = (
    figure: string,
    contender: string,
    base: string,
    measure: string,
    unit: string,
    goal: { min: number } | { max: number },
    noVerdict: string | null = null,
  ): Row =>
    compare({
      noVerdict,
      figure: `G5 ${figure}`,
      unit,
      assayValues: measured(contender, measure),
      floor: measured(base, measure),
      goal,
      notes: [
        `${Math.round(median(measured(contender, 'passed')) * 100)} % passed; processor time a call ${median(measured(contender, 'cpuUs')).toFixed(0)} and ${median(measured(base, 'cpuUs')).toFixed(0)} us`,
      ],
    });
  const width = `${connections} connections, 200 KB of tool results (floor: passed through)`;
  return [
    row(
      `calls of which every one is held and traced, ${width}`,
      'hold tools',
      'off tools',
      'rate',
      'calls/s',
      { min: 0.6 },
      unlessAllPassed(measured('hold tools', 'passed')),
    ),
    row(
      `calls of which every tenth is verified by a model, ${width}`,
      'ten',
      'off',
      'rate',
      'calls/s',
      { min: 0.95 },
    ),
    row(
      'time of a call that is counted and not due (floor: no verifier), one connection, p50',
      'ten 1',
      'off 1',
      'p50Us',
      'us',
      {
        max: 1.05,
      },
    ),
  ];
}
