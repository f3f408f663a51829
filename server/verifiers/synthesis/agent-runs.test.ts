// Two public sets of agent runs, without a judge: available results are reported as findings, and
// the rest is reported as unjudged.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contextWith, plainPrompt, scriptedAsk } from '../../../testing/scripted-judge';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { synthesis } from './index';
import { SynthesisConfig, SynthesisSubject } from './subject';

const fileOf = (name: string): string =>
  resolve(
    process.env.ASSAY_DATA ?? resolve(import.meta.dirname, '../../../../shared/data'),
    `${name}.jsonl`,
  );
const rowsOf = (name: string): readonly unknown[] =>
  readFileSync(fileOf(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const Talk = z.object({
  instruction: z.string(),
  messages: z.array(
    z.object({ role: z.string(), content: z.string().nullish(), name: z.string().optional() }),
  ),
});
const Question = z.object({
  question: z.string(),
  turns: z.array(z.object({ action: z.string(), observation: z.string() })),
});

/** The agent's last message, compared with the outputs of its tools. */
function ofTalk(row: unknown): SynthesisSubject | null {
  const { instruction, messages } = Talk.parse(row);
  const outputs = messages.flatMap(({ role, content, name }, i) =>
    role === 'tool' ? [{ id: `call-${i}`, agent: name, data: content ?? '' }] : [],
  );
  const answer =
    messages.findLast(({ role, content }) => role === 'assistant' && (content ?? '').trim() !== '')
      ?.content ?? '';
  return outputs.length === 0 || answer === ''
    ? null
    : SynthesisSubject.parse({ query: instruction, answer, agent_outputs: outputs });
}

/** A reply with the result of the last statement, from all results of the database. */
function ofQuestion(row: unknown): SynthesisSubject | null {
  const { question, turns } = Question.parse(row);
  const outputs = turns.map(({ observation }, i) => ({
    id: `step-${i}`,
    agent: 'sql',
    data: observation,
  }));
  const answer =
    `The answer was taken from the database.\n\n${turns.at(-1)?.observation ?? ''}`.trim();
  return outputs.length === 0 || answer === ''
    ? null
    : SynthesisSubject.parse({ query: question, answer, agent_outputs: outputs });
}

/** Each figure exchanged for another, and each denial for its opposite. */
const corrupted = (subject: SynthesisSubject): SynthesisSubject => ({
  ...subject,
  answer: subject.answer
    .replaceAll(/(?<![\p{L}\d_])\d+(?![\p{L}\d_])/gu, (digits) => `9${digits}7`)
    .replaceAll(/\bdoesn't\b/g, 'does'),
});

async function decideAlone(subject: SynthesisSubject) {
  const config = SynthesisConfig.parse({});
  const setting: RunSetting<SynthesisConfig> = {
    config,
    thresholds: resolveThresholds(
      { verifier: 'synthesis', missionId: null, taskId: null },
      [],
      new Map(),
    ),
    retries: { used: 0, budget: synthesis.retryBudget?.(config) ?? 0 },
    prompts: new Map([['synthesis-claims', plainPrompt('{{query}}')]]),
    judges: [],
    fallbackJudges: [],
    whyNone: 'no provider is configured',
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
  const { ask, requests } = scriptedAsk(() => {
    throw new Error('nobody is to be asked');
  });
  const decided = synthesis.decide(
    await walkPlan(synthesis.plan(subject, setting), contextWith(ask)),
    subject,
    setting,
  );
  expect(requests).toEqual([]);
  return decided;
}

const sets = [
  ['agent-tau-airline', ofTalk],
  ['agent-intercode-sql', ofQuestion],
] as const;

describe.each(sets)('%s', (name, read) => {
  test('SOAR-24 without a judge: findings where possible, each claim in one count, and the rest unjudged', async (context) => {
    if (!existsSync(fileOf(name))) return context.skip('skipped: shared data not present');
    const wrong = { unsupported: 0, contradicted: 0 };
    const sum = {
      runs: 0,
      claims: 0,
      supported: 0,
      unsupported: 0,
      contradicted: 0,
      unjudged: 0,
      unused: 0,
      verdicts: 0,
    };
    for (const row of rowsOf(name).filter((_, i) => i % 2 === 0)) {
      const subject = read(row);
      if (subject === null) continue;
      const { detail, issues, verdict } = await decideAlone(subject);
      const { counts, unused_outputs: unused } = detail;
      if (counts === null) throw new Error('not counted');
      expect(counts.supported + counts.unsupported + counts.unjudged).toBe(counts.claims);
      const codes = issues.map(({ code }) => code);
      expect([codes.includes('undecided_claims'), codes.includes('unused_outputs')]).toEqual([
        counts.unjudged > 0,
        unused.length > 0,
      ]);
      expect(codes.filter((code) => code === 'unsupported_claim').length).toBe(
        Math.min(counts.unsupported, 100),
      );
      sum.runs++;
      for (const key of ['claims', 'supported', 'unsupported', 'contradicted', 'unjudged'] as const)
        sum[key] += counts[key];
      sum.unused += unused.length;
      if (verdict !== null) sum.verdicts++;
      const other = (await decideAlone(corrupted(subject))).detail.counts;
      wrong.unsupported += other?.unsupported ?? 0;
      wrong.contradicted += other?.contradicted ?? 0;
    }
    process.stdout.write(
      `${name} without a judge: ${JSON.stringify(sum)}; with other figures and denials: ${JSON.stringify(wrong)}\n`,
    );
    expect(sum.runs).toBeGreaterThan(40);
    expect(sum.unused).toBeGreaterThan(0);
    expect(sum.unjudged).toBeGreaterThan(0);
    expect(wrong.unsupported + wrong.contradicted).toBeGreaterThan(
      2 * (sum.unsupported + sum.contradicted) + 10,
    );
  }, 120_000);
});
