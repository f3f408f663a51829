import type { PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import type { DataBlock, Draw } from './fence';
import { summaryFormat } from './formats';
import { fromLikert, type SummaryReply, summaryShape } from './shapes';
import { showText } from './shorten';

/** A mission and what its tasks handed in. All texts but the prompt are untrusted. */
export interface SummaryQuestion {
  readonly prompt: PromptText;
  readonly mission: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly description: string;
    readonly output: string;
    /** Of the task's own verdict, 0..1; null where there is none. */
    readonly score: number | null;
    readonly verdict: string | null;
  }[];
  /** Code points of all outputs together that a judge is shown. */
  readonly outputChars: number;
  readonly purpose: string;
}

export interface SummaryFinding {
  /** 0..1. */
  readonly value: number;
  readonly reasoning: string;
  readonly summary: string;
  readonly confidence: number;
  /** The weakest first; `index` is that of the task. */
  readonly weakest: readonly { readonly index: number; readonly reason: string }[];
  readonly leftOut: number;
}

const MISSION_CHARS_MAX = 8_000;
const DESCRIPTION_CHARS_MAX = 1_000;
const LEAST_CHARS_EACH = 400;
const OUTPUT_TOKENS = 4_000;
const WEAKEST_MAX = 3;

/** Asks one judge about a mission as a whole, once (VS-17). Never throws for what the judge does. */
export async function judgeSummary(
  question: SummaryQuestion,
  bench: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<SummaryFinding>> {
  const each = Math.max(LEAST_CHARS_EACH, Math.floor(question.outputChars / Math.max(1, question.tasks.length)));
  const shown = question.tasks.map(({ output }) => showText(output, each));
  const mission = showText(question.mission, MISSION_CHARS_MAX);
  const tasks = question.tasks.map((task, i) => ({
    task: i + 1,
    description: showText(task.description, DESCRIPTION_CHARS_MAX).text,
    ...(task.score === null ? {} : { score: task.score, verdict: task.verdict }),
    output: shown[i]?.text ?? '',
  }));
  const notes = [...new Set(shown.flatMap((text, i) => text.notes.map((note) => `task ${i + 1}: ${note}`)))];
  const data = new Map<string, DataBlock | null>([
    ['mission', { name: 'mission', value: mission.text, notes: mission.notes }],
    ['tasks', { name: 'tasks', value: tasks, notes }],
  ]);
  const task: JudgeTask<SummaryReply> = {
    question: { prompt: question.prompt, data, reminder: 'mission', format: summaryFormat },
    shape: summaryShape(tasks.length),
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs: bench.deadlineMs,
  };
  const judged = await askJudge(task, bench.models, ctx, draw);
  if (judged.state === 'failed') return judged;
  const { reply } = judged;
  const finding: SummaryFinding = {
    value: fromLikert(reply.score),
    reasoning: reply.reasoning,
    summary: reply.summary,
    confidence: reply.confidence,
    weakest: reply.weakest.slice(0, WEAKEST_MAX).map(({ task: number, reason }) => ({ index: number - 1, reason })),
    leftOut: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
  };
  return { ...judged, reply: finding };
}
