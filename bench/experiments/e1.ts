import { setTimeout as pause } from 'node:timers/promises';
import { anyJudge } from '../../testing/any-judge';
import type { Json } from '../../testing/call';
import { createTestRuntime } from '../../testing/database';
import { createJudgedProject, type JudgedProject } from '../../testing/judged-project';
import { readFences } from '../../testing/scripted-judge';
import {
  type ScriptedCall,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../../testing/scripted-llm';
import { until } from '../../testing/until';
import { runRounds } from '../rounds';
import { compare } from '../row';
import type { RowMaker } from '../run';
import type { Stage } from '../stage';

/** The time of an answer: 200 to 300 ms. */
const answerMs = 250;
/** The default of an experiment. */
const concurrency = 8;
const verifiers = ['integrity', 'task', 'polite'];
const judgesOfItem = 2;

/**
 * E1: an experiment of 1,000 items with one deterministic verifier and two judges, from the call
 * that starts it to its end, compared with a bare client that requests the same number of answers
 * from the same provider with the same concurrency, and the two judgements of each once it has
 * arrived.
 */
export const e1: RowMaker = {
  name: 'E1',
  async make(stage, settings) {
    const items = settings.smoke ? 50 : 1_000;
    const llm = await startScriptedLlm();
    stage.onClose(() => llm.close());
    llm.answerWith(reply);
    const judged = await openProject(stage, llm);
    await storeItems(judged, items);
    const calls = items * (1 + judgesOfItem);
    const contenders = [
      {
        name: 'experiment',
        async run(round: number) {
          const before = llm.calls.length;
          const perS = items / (await runExperiment(judged, `round ${round}`, items));
          if (llm.calls.length - before !== calls)
            throw new Error(`void: ${llm.calls.length - before} calls for ${items} items`);
          return { perS };
        },
      },
      {
        name: 'provider',
        run: async () => ({ perS: items / (await askProvider(llm.baseUrl, items)) }),
      },
    ];
    const measured = await runRounds('E1', contenders, settings);
    return [
      compare({
        figure: `E1 an experiment of ${items.toLocaleString('en')} items and ${verifiers.length} verifiers, compared with asking its provider directly`,
        unit: 'items/s',
        assayValues: measured('experiment', 'perS'),
        floor: measured('provider', 'perS'),
        goal: { min: 0.9 },
        notes: [
          `${concurrency} answers at a time, of about ${answerMs} ms each; two of the verifiers are judges of the same provider; one worker`,
        ],
      }),
    ];
  },
};

function reply(call: ScriptedCall): ScriptedReply {
  return { ...answerTo(call), delayMs: answerMs * (0.8 + 0.4 * Math.random()) };
}

function answerTo(call: ScriptedCall): ScriptedReply {
  const question = textOf(call.body);
  if (question.includes('Is this answer polite?')) {
    const { nonce } = readFences(question);
    const answer = { reasoning: 'Read.', quotes: [], answer: true, confidence: 0.9 };
    return { text: JSON.stringify({ nonce, ...answer }) };
  }
  if (question.includes('<data nonce=')) return anyJudge(call);
  // Contains the round, because judges answer equal work from their cache.
  const [round = ''] = /In round \d+/.exec(question) ?? [];
  return { text: `${round}, the disk is at ${/\d+\.\d+/.exec(question)?.[0] ?? 'no'} %.` };
}

async function openProject(
  stage: Stage,
  llm: { readonly origin: string; readonly baseUrl: string },
): Promise<JudgedProject> {
  const { url } = await stage.openDatabase('experiments');
  const env = {
    ASSAY_SECRET: 'test-secret-test-secret-test-secret',
    ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
  };
  const runtime = createTestRuntime(url, env);
  stage.onClose(() => runtime.close());
  const judged = await createJudgedProject(runtime, llm);
  const prompt = 'Is this answer polite? {{output}}';
  const judge = { model: 'house:mistral-small', output: { type: 'boolean' }, prompt };
  await judged.ok('/v1/verifiers/polite', { kind: 'judge', targets: ['turn'], judge }, 'PUT');
  await stage.startWorker(url, env);
  return judged;
}

const batch = 500;

async function storeItems({ ok }: JudgedProject, count: number): Promise<void> {
  await ok('/v1/datasets/disks', { name: 'Disks', description: '' }, 'PUT');
  for (let from = 0; from < count; from += batch) {
    const items = Array.from({ length: Math.min(batch, count - from) }, (_, at) => ({
      id: `item-${from + at}`,
      input: `How full is disk ${from + at}.5?`,
      tools: [{ id: 't', name: 'disk', arguments: {}, result: { pct: from + at + 0.5 } }],
    }));
    await ok('/v1/datasets/disks/items', { items });
  }
}

/** @returns seconds */
async function runExperiment({ ok }: JudgedProject, name: string, items: number): Promise<number> {
  const began = Date.now();
  const { id } = await ok('/v1/experiments', {
    name,
    dataset: 'disks',
    target: {
      type: 'prompt',
      model: 'house:gpt-4o-mini',
      messages: [{ role: 'user', content: `In ${name}: {{input}}` }],
    },
    verifiers,
    concurrency,
  });
  const ended = await until(
    'the experiment ends',
    async (): Promise<Json | null> => {
      // Each poll reads all results: more frequent polls would slow the experiment down.
      await pause(3_000);
      const experiment = await ok(`/v1/experiments/${String(id)}`);
      return experiment.state === 'running' ? null : experiment;
    },
    600_000,
  );
  const counts = JSON.stringify(ended.counts);
  if (ended.state !== 'done' || !counts.includes(`"answered":${items}`))
    throw new Error(`void: ${JSON.stringify(ended).slice(0, 500)}`);
  return (Date.parse(String(ended.finished_at)) - began) / 1000;
}

/** @returns seconds */
async function askProvider(baseUrl: string, items: number): Promise<number> {
  const ask = async (content: string): Promise<void> => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
    });
    if (!response.ok) throw new Error(`void: the provider answered with ${response.status}`);
    await response.arrayBuffer();
  };
  const began = performance.now();
  const judging: Promise<void>[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < items) {
        const question = `How full is disk ${next++}.5?`;
        await ask(question);
        for (let n = 0; n < judgesOfItem; n++) judging.push(ask(question));
      }
    }),
  );
  await Promise.all(judging);
  return (performance.now() - began) / 1000;
}
