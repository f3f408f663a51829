import type { PromptText } from '../../domain';
import { chooseJudge, type CrossModel, type JudgeChoice, listModels, sameFamily, sameModel } from '../../llm';
import type { Ctx } from '../../platform';
import { type PromptDefaults, resolvePrompt } from '../../prompts';
import { loadThresholds, resolveThresholds, type ScopedValue } from '../../thresholds';
import type { AnySubjectKind, RunSetting } from '../../verifiers';
import { loadJudging, type ProjectJudging } from './judging';
import { planRunSpending } from './plan-run-spending';
import type { StoredSubject } from './load-subjects';
import type { WorkFacts } from '../input';
import type { SubjectContent } from './subject-kinds';

/** A run's setting, and what the verdict says of the choice of judge. */
export interface Run {
  readonly setting: RunSetting<unknown>;
  readonly verifierVersion: number;
  readonly judging: ProjectJudging;
  readonly crossModel: CrossModel | null;
  /** What a reader should know of who judges, or null. */
  readonly notice: string | null;
}

/** Makes settings for the runs of one batch; what they share is read once. */
export interface RunSource {
  settingOf(kind: AnySubjectKind, content: SubjectContent, stored: StoredSubject): Promise<Run>;
}

/** Others that are asked where the judge cannot be. */
const standInsMost = 2;
const juryMost = 3;

/** Reads as it is now: what was read is kept for the batch, so that no run sees half of a change. */
export function createRunSource(ctx: Ctx, prompts: PromptDefaults): RunSource {
  const once = createMemory();
  return {
    async settingOf(kind, { subject, facts }, stored) {
      const { projectId, missionId, taskId } = stored;
      const judging = await once(`judging ${projectId} ${kind.name}`, () => loadJudging(ctx, projectId, kind.name));
      const values = await once(
        `thresholds ${projectId} ${kind.name}`,
        async (): Promise<readonly ScopedValue[]> => (await loadThresholds(ctx, [projectId], [kind.name])).of(projectId, kind.name),
      );
      const config = kind.config.parse(judging.config);
      const texts = new Map<string, PromptText>();
      for (const slug of kind.promptSlugs(subject, config)) {
        const { prompt } = await once(`prompt ${projectId} ${slug}`, () => resolvePrompt(ctx, prompts, projectId, slug));
        texts.set(slug, prompt);
      }
      const available = await once(`models ${projectId}`, () => listModels(ctx, projectId));
      const choice = chooseFor(facts, judging, available);
      const given = new Map(facts.threshold == null ? [] : [['pass_threshold', facts.threshold]]);
      const setting: RunSetting<unknown> = {
        config,
        thresholds: resolveThresholds({ verifier: kind.name, missionId, taskId }, values, given),
        retries: { used: facts.retries_used, budget: judging.retries },
        prompts: texts,
        ...seatsOf(choice, facts, judging, available),
        whyNone: choice.state === 'chosen' ? null : choice.message,
        notJudged: null,
        kept: null,
      };
      return {
        setting: { ...setting, notJudged: await planRunSpending(ctx, { kind, subject, setting, facts, judging, stored }) },
        verifierVersion: judging.version,
        judging,
        crossModel: choice.state === 'chosen' ? choice.crossModel : null,
        notice: choice.state === 'chosen' ? choice.warning : null,
      };
    },
  };
}

/** Who judges this work (VS-34 to VS-37). */
export function chooseFor(
  facts: WorkFacts,
  { defaultJudge }: Pick<ProjectJudging, 'defaultJudge'>,
  available: readonly string[],
): JudgeChoice {
  return chooseJudge({ executor: facts.executor_model ?? null, configured: facts.verifier_model ?? null, defaultJudge, available });
}

/**
 * The judge alone, with those behind it that may stand in, or a jury. A judge that the caller named judges alone and is not stood in
 * for; nobody else judges work of its own family.
 */
function seatsOf(
  choice: JudgeChoice,
  facts: WorkFacts,
  { jury }: ProjectJudging,
  available: readonly string[],
): Pick<RunSetting<unknown>, 'judges' | 'standIns'> {
  if (choice.state !== 'chosen') return { judges: [], standIns: [] };
  const alone = { judges: [choice.judge], standIns: [] };
  if (facts.verifier_model != null) return alone;
  const executor = facts.executor_model ?? null;
  const allowed = (model: string): boolean =>
    !sameModel(model, choice.judge) && (executor === null || (!sameModel(model, executor) && sameFamily(model, executor) === false));
  const members = jury.filter(allowed).slice(0, juryMost - 1);
  if (members.length > 0) return { judges: [choice.judge, ...members], standIns: [] };
  return { ...alone, standIns: available.filter(allowed).slice(0, standInsMost) };
}

/** Asks for each key once; a failure is not kept. */
function createMemory(): <T>(key: string, read: () => Promise<T>) => Promise<T> {
  const held = new Map<string, Promise<unknown>>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = held.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = read();
    held.set(key, asked);
    asked.catch(() => held.delete(key));
    return asked;
  };
}
