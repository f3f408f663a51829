import type { PromptText } from '../../domain';
import type { EvaluatorContext } from '../evaluator';
import { askJudge, type Judged, type JudgeTask } from './ask-judge';
import type { DataBlock, Draw } from '../fence';
import { summaryFormat } from './formats';
import { fromLikert, type SummaryReply, summaryShape } from './shapes';
import { lowest, reasonsOf } from './merge-windows';
import { type ShownText, showText } from './shorten';
import { askInWindows, confidenceSeen, planReading } from './windows';

/** A mission and the outputs of its tasks. All texts but the prompt are untrusted. */
export interface SummaryQuestion {
  readonly prompt: PromptText;
  readonly mission: string;
  readonly tasks: readonly {
    readonly id: string;
    readonly description: string;
    readonly output: string;
    /** Of the task's own verdict, 0..1; null if there is none. */
    readonly score: number | null;
    readonly verdict: string | null;
  }[];
  /**
   * Code points of all outputs together in one judge call; longer ones are judged in windows
   * (S-125).
   */
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

/**
 * Code points of the mission, and of each task's description, in each call. The rest counts as not
 * shown.
 */
const MISSION_CHARS_MAX = 24_000;
const DESCRIPTION_CHARS_MAX = 4_000;
const OUTPUT_TOKENS = 4_000;
const WEAKEST_MAX = 3;

/**
 * Calls one judge about a mission as a whole, once (VS-17). Never throws for errors of the judge.
 */
export async function judgeSummary(
  question: SummaryQuestion,
  options: { readonly models: readonly string[]; readonly deadlineMs: number },
  ctx: EvaluatorContext,
  draw?: Draw,
): Promise<Judged<SummaryFinding>> {
  const mission = showText(question.mission, MISSION_CHARS_MAX);
  const descriptions = question.tasks.map(({ description }) =>
    showText(description, DESCRIPTION_CHARS_MAX),
  );
  const reading = planReading(
    question.tasks.map(({ output }) => output),
    question.outputChars,
  );
  const judged = await askInWindows(
    reading,
    (shown) => composeTask(question, { mission, descriptions, shown }, options.deadlineMs),
    (task) => askJudge(task, options.models, ctx, draw),
  );
  if (judged.state === 'failed') return judged;
  const leftOut = [mission, ...descriptions].reduce(
    (sum, each) => sum + each.leftOut,
    reading.leftOut,
  );
  const [whole, ...windows] = [judged.reply.whole, ...judged.reply.windows].map((reply) =>
    findingOf(reply, leftOut),
  );
  if (whole === undefined) throw new Error('a summary has a finding');
  return { ...judged, reply: mergeFindings(whole, windows) };
}

interface ShownMission {
  readonly mission: ShownText;
  readonly descriptions: readonly ShownText[];
  readonly shown: readonly (ShownText | null)[];
}

function composeTask(
  question: SummaryQuestion,
  { mission, descriptions, shown }: ShownMission,
  deadlineMs: number,
): JudgeTask<SummaryReply> {
  const tasks = question.tasks.map((task, i) => ({
    task: i + 1,
    description: descriptions[i]?.text ?? '',
    ...(task.score === null ? {} : { score: task.score, verdict: task.verdict }),
    ...(shown[i] == null ? { output_in_another_part: true } : { output: shown[i].text }),
  }));
  const noted = question.tasks.flatMap((_, i) =>
    [...(descriptions[i]?.notes ?? []), ...(shown[i]?.notes ?? [])].map(
      (note) => `task ${i + 1}: ${note}`,
    ),
  );
  const notes = [...new Set(noted)];
  const data = new Map<string, DataBlock | null>([
    ['mission', { name: 'mission', value: mission.text, notes: mission.notes }],
    ['tasks', { name: 'tasks', value: tasks, notes }],
  ]);
  return {
    question: { prompt: question.prompt, data, reminder: 'mission', format: summaryFormat },
    shape: summaryShape(tasks.length),
    purpose: question.purpose,
    maxOutputTokens: OUTPUT_TOKENS,
    deadlineMs,
  };
}

function findingOf(reply: SummaryReply, leftOut: number): SummaryFinding {
  return {
    value: fromLikert(reply.score),
    reasoning: reply.reasoning,
    summary: reply.summary,
    confidence: confidenceSeen(reply.confidence, leftOut),
    weakest: reply.weakest
      .slice(0, WEAKEST_MAX)
      .map(({ task: number, reason }) => ({ index: number - 1, reason })),
    leftOut,
  };
}

/**
 * The lowest score and confidence of all; the summary and the weakest tasks are those of the whole.
 */
function mergeFindings(whole: SummaryFinding, windows: readonly SummaryFinding[]): SummaryFinding {
  return {
    ...whole,
    value: lowest(
      whole.value,
      windows.map(({ value }) => value),
    ),
    reasoning: reasonsOf(whole, windows),
    confidence: lowest(
      whole.confidence,
      windows.map(({ confidence }) => confidence),
    ),
  };
}
