import { findVerifier, storedKindOf, type Verifier } from '../../catalog';
import type { PromptText } from '../../domain';
import {
  chooseJudge,
  type CrossModel,
  type JudgeChoice,
  crossModelOf,
  loadModels,
  type Price,
  sameFamily,
  sameModel,
} from '../../llm';
import type { Ctx } from '../../platform';
import { type PromptDefaults, resolvePrompt } from '../../prompts';
import { loadThresholds, resolveThresholds, type ScopedValue } from '../../thresholds';
import type { AnyKind, NamedJudges, RunSetting, SelfJudging } from '../../verifiers';
import { loadMissionSettings } from '../missions/mission-settings';
import { chooseExamples } from './choose-examples';
import { type JudgeNotice, judgeNotices, wantedJudge } from './judge-notices';
import { loadJudging, type ProjectJudging } from './judging';
import { listSession } from './list-session';
import { planRunSpending } from './plan-run-spending';
import type { SubjectFacts } from './load-subjects';
import type { WorkFacts } from '../input';
import type { SubjectContent } from './subject-content';
import type { SubjectDeps } from './subject-deps';

/** A run's setting, and the verdict's notices about the choice of judge. */
export interface Run {
  readonly setting: RunSetting<unknown>;
  readonly verifierVersion: number;
  readonly judging: ProjectJudging;
  /** The project's own prices, by model spec. */
  readonly prices: ReadonlyMap<string, Price>;
  readonly crossModel: CrossModel | null;
  /**
   * The cost of the mission in US dollars above which a person reviews the verdict; null means no
   * limit (VS-45).
   */
  readonly reviewAboveUsd: number | null;
  /** Notices about the judges. */
  readonly notices: readonly JudgeNotice[];
}

/** The verifier of a run: its slug, and its kind. */
export type RunVerifier = Pick<Verifier, 'slug' | 'kind'>;

/** Creates settings for the runs of one batch; shared data is read once. */
export interface RunSource {
  judgingOf(projectId: string, slug: string): Promise<ProjectJudging>;
  /** As `findVerifier`. */
  verifierOf(projectId: string, slug: string): Promise<Verifier | null>;
  settingOf(verifier: RunVerifier, content: SubjectContent, stored: SubjectFacts): Promise<Run>;
}

/** The settings of a trial, which replace the current ones. */
export interface Trying {
  /** Prompts that replace the production prompts, by slug. */
  readonly prompts: ReadonlyMap<string, PromptText>;
  /**
   * Specs that replace the project's default judge and jury, and any judge that the caller named,
   * without fallbacks. If omitted, the current judges apply.
   */
  readonly judges?: readonly string[] | undefined;
  /** The config of a definition that is not stored. */
  readonly config?: unknown;
}

/** The most fallback judges to call if the judge is unavailable. */
const fallbackJudgesMax = 2;
const juryMax = 3;

/**
 * Reads the current settings once per batch, so that no run sees half of a change. With `trying`,
 * judges are called regardless of the cost of the work: the cost of a trial was approved before it
 * began, and does not count against a budget.
 */
export function createRunSource(
  ctx: Ctx,
  { prompts, findExamples }: Pick<SubjectDeps, 'prompts' | 'findExamples'>,
  trying: Trying | null = null,
): RunSource {
  const once = createMemory();
  const readPrompts = createPrompts(ctx, prompts, { once, trying });
  const examplesFor = createExamples(ctx, findExamples, once);
  const judgingOf = createJudging(ctx, once, trying);
  return {
    judgingOf,
    verifierOf: (projectId, slug) =>
      once(`verifier ${projectId} ${slug}`, () => findVerifier(ctx, projectId, slug)),
    async settingOf({ slug: verifier, kind }, { subject, facts: given }, stored) {
      const { missionId, taskId } = stored;
      const [ofProject, ofMission, values, { specs: available, prices }] = await readCurrent(
        ctx,
        once,
        { verifier, judgingOf },
        stored,
      );
      const config = kind.config.parse(ofProject.config);
      const named = trying?.judges === undefined ? namedJudges(kind, config) : null;
      const { judging, facts } = judgedBy(kind, { ofProject, ofMission, named, given, trying });
      const wanted = trying?.judges === undefined ? wantedJudge(named, ofMission) : null;
      const settings = { ...judging, fallbacks: named?.fallbacks };
      const choice = chooseFor(
        withExplicit(facts, named),
        settings,
        available,
        kind.selfJudging?.(subject),
      );
      const { leftOut, ...judges } = selectJudges(choice, facts, judging, available, named);
      const own = new Map(
        facts.threshold == null ? [] : [[thresholdKeyOf(kind, subject, config), facts.threshold]],
      );
      const setting: RunSetting<unknown> = {
        config,
        thresholds: resolveThresholds({ verifier, missionId, taskId }, values, own),
        retries: retriesOf(kind, config, facts, judging),
        prompts: await readPrompts(stored.projectId, kind.promptSlugs(subject, config)),
        ...judges,
        ...(trying?.judges !== undefined && { fallbackJudges: [] }),
        selfJudged: choice.state === 'chosen' && choice.crossModel === 'self',
        whyNone: choice.state === 'chosen' ? null : choice.message,
        notJudged: null,
        cached: null,
        session: kind.readsSession === true ? await listSession(ctx, stored) : [],
        ...(await examplesFor({ slug: verifier, kind }, config, { subject, stored })),
        project: { neutralProof: judging.neutralProof, semanticJudge: judging.semanticJudge },
      };
      const notJudged =
        trying === null && kind.unbudgeted !== true
          ? await planRunSpending(ctx, { kind, subject, setting, facts, judging, stored, prices })
          : null;
      return {
        setting: { ...setting, notJudged },
        verifierVersion: judging.version,
        prices,
        judging,
        crossModel: choice.state === 'chosen' ? choice.crossModel : null,
        reviewAboveUsd: ofMission?.reviewAboveUsd ?? null,
        notices: judgeNotices({ wanted, choice, leftOut, facts }),
      };
    },
  };
}

/**
 * A judge that a definition names is an explicit choice, which may be of the family of the model
 * that did the work (VS-35), but not that model itself: then its fallbacks judge.
 */
function withExplicit(facts: WorkFacts, named: NamedJudges | null): WorkFacts {
  const model = named?.model ?? null;
  const executor = facts.executor_model ?? null;
  if (facts.verifier_model != null || model === null) return facts;
  return executor !== null && sameModel(model, executor)
    ? facts
    : { ...facts, verifier_model: model };
}

function createPrompts(
  ctx: Ctx,
  prompts: PromptDefaults,
  { once, trying }: { readonly once: Memory; readonly trying: Trying | null },
) {
  return async (projectId: string, slugs: readonly string[]): Promise<Map<string, PromptText>> => {
    const texts = new Map<string, PromptText>();
    for (const slug of slugs) {
      const resolve = () => resolvePrompt(ctx, prompts, projectId, slug);
      const tried = trying?.prompts.get(slug);
      texts.set(slug, tried ?? (await once(`prompt ${projectId} ${slug}`, resolve)).prompt);
    }
    return texts;
  };
}

function createJudging(ctx: Ctx, once: Memory, trying: Trying | null): RunSource['judgingOf'] {
  return (projectId, slug) =>
    once(`judging ${projectId} ${slug}`, async () => ({
      ...(await loadJudging(ctx, projectId, slug)),
      ...(trying?.config !== undefined && { config: trying.config }),
    }));
}

/**
 * Reads the labelled examples of a definition once per batch, and chooses those for one subject.
 */
function createExamples(ctx: Ctx, findExamples: SubjectDeps['findExamples'], once: Memory) {
  return async (
    verifier: RunVerifier,
    config: unknown,
    { subject, stored }: { readonly subject: unknown; readonly stored: SubjectFacts },
  ): Promise<Pick<RunSetting<unknown>, 'examples'>> => {
    const { slug, kind } = verifier;
    const count = kind.examplesOf?.(config) ?? 0;
    if (count === 0) return {};
    const { projectId } = stored;
    const found = await once(`examples ${projectId} ${slug} ${count}`, () =>
      findExamples(ctx, {
        projectId,
        verifier: slug,
        subjectKind: storedKindOf(verifier),
        limit: 2 * count,
      }),
    );
    return { examples: chooseExamples(kind, found, { count, subject, stored }) };
  };
}

/**
 * The project's judging settings, thresholds and models and the mission's settings, each read once.
 */
function readCurrent(
  ctx: Ctx,
  once: Memory,
  { verifier, judgingOf }: { readonly verifier: string } & Pick<RunSource, 'judgingOf'>,
  { projectId, missionId }: SubjectFacts,
) {
  return Promise.all([
    judgingOf(projectId, verifier),
    missionId === null
      ? null
      : once(`mission ${projectId} ${missionId}`, () =>
          loadMissionSettings(ctx, projectId, missionId),
        ),
    once(
      `thresholds ${projectId} ${verifier}`,
      async (): Promise<readonly ScopedValue[]> =>
        (await loadThresholds(ctx, [projectId], [verifier])).of(projectId, verifier),
    ),
    once(`models ${projectId}`, () => loadModels(ctx, projectId)),
  ]);
}

/**
 * The retries that the caller used, and the retry budget: the kind's own, otherwise the
 * project's (VS-29).
 */
const retriesOf = (
  kind: AnyKind,
  config: unknown,
  { retries_used: used }: WorkFacts,
  { retries }: ProjectJudging,
): RunSetting<unknown>['retries'] => ({ used, budget: kind.retryBudget?.(config) ?? retries });

interface JudgeSources {
  readonly ofProject: ProjectJudging;
  readonly ofMission: { readonly judge: string | null } | null;
  readonly named: NamedJudges | null;
  readonly given: WorkFacts;
  readonly trying: Trying | null;
}

/**
 * The effective judges: those under trial, otherwise those of the verifier's definition, of the
 * mission, of the project. A judge that the call names has precedence over all but a trial.
 */
function judgedBy(
  kind: AnyKind,
  { ofProject, ofMission, named, given, trying }: JudgeSources,
): { judging: ProjectJudging; facts: WorkFacts } {
  const current = {
    ...ofProject,
    defaultJudge: named?.model ?? ofMission?.judge ?? ofProject.defaultJudge,
    ...(named !== null && { jury: named.jury }),
    ...(kind.callsOneJudge === true && { jury: [] }),
  };
  return seated(current, given, trying?.judges);
}

/** Replaces the judges of the project and the caller with those under trial. */
function seated(
  judging: ProjectJudging,
  facts: WorkFacts,
  judges: readonly string[] | undefined,
): { judging: ProjectJudging; facts: WorkFacts } {
  if (judges === undefined) return { judging, facts };
  const [defaultJudge = null, ...jury] = judges;
  return { judging: { ...judging, defaultJudge, jury }, facts: { ...facts, verifier_model: null } };
}

/** The key of the threshold that decides the verdict on the subject. */
export function thresholdKeyOf(kind: AnyKind, subject: unknown, config: unknown): string {
  return kind.thresholdKey?.(subject, config) ?? 'pass_threshold';
}

/**
 * Chooses the judge of this work (VS-34 to VS-37). The model that did the work may judge it only if
 * the kind allows that.
 */
export function chooseFor(
  facts: WorkFacts,
  {
    defaultJudge,
    fallbacks,
  }: Pick<ProjectJudging, 'defaultJudge'> & {
    readonly fallbacks?: readonly string[] | undefined;
  },
  available: readonly string[],
  selfJudging: SelfJudging = 'never',
): JudgeChoice {
  const executor = facts.executor_model ?? null;
  const configured = facts.verifier_model ?? null;
  if (selfJudging === 'anyone') {
    const choice = chooseJudge({ executor: null, configured, defaultJudge, available });
    return choice.state === 'chosen'
      ? { ...choice, crossModel: crossModelOf(choice.judge, executor), warning: null }
      : choice;
  }
  const itself =
    selfJudging === 'never' || executor === null ? null : ownSpec(executor, configured, available);
  const asItself = (): JudgeChoice =>
    chooseJudge({ executor, configured: itself, defaultJudge, available, self: true });
  if (itself !== null && selfJudging === 'preferred') return asItself();
  const choice = chooseJudge({ executor, configured, defaultJudge, fallbacks, available });
  return itself !== null && choice.state !== 'chosen' ? asItself() : choice;
}

/** The spec for calling the model that did the work; null if the caller named another judge. */
function ownSpec(
  executor: string,
  configured: string | null,
  available: readonly string[],
): string | null {
  if (configured !== null) return sameModel(configured, executor) ? configured : null;
  return available.find((each) => sameModel(each, executor)) ?? null;
}

/**
 * One judge with its fallbacks, or a jury. A judge that the caller named judges alone, without a
 * fallback. A judge that a definition names has only the definition's fallbacks and jury: another
 * judge would be another measurement. Fallbacks and jury members never judge work of their own
 * model family.
 */
export function selectJudges(
  choice: JudgeChoice,
  facts: WorkFacts,
  { jury }: Pick<ProjectJudging, 'jury'>,
  available: readonly string[],
  named: NamedJudges | null = null,
): Pick<RunSetting<unknown>, 'judges' | 'fallbackJudges'> & {
  readonly leftOut: readonly string[];
} {
  if (choice.state !== 'chosen') return { judges: [], fallbackJudges: [], leftOut: [] };
  const alone = { judges: [choice.judge], fallbackJudges: [], leftOut: [] };
  if (facts.verifier_model != null || choice.crossModel === 'self') return alone;
  const executor = facts.executor_model ?? null;
  const allowed = (model: string): boolean =>
    !sameModel(model, choice.judge) &&
    (executor === null || (!sameModel(model, executor) && sameFamily(model, executor) === false));
  const members = jury.filter(allowed).slice(0, named === null ? juryMax - 1 : undefined);
  const leftOut = jury.filter(
    (model) => !members.includes(model) && !sameModel(model, choice.judge),
  );
  if (members.length > 0)
    return { judges: [choice.judge, ...members], fallbackJudges: [], leftOut };
  return {
    ...alone,
    fallbackJudges: (
      named?.fallbacks ?? available.filter(allowed).slice(0, fallbackJudgesMax)
    ).filter(allowed),
    leftOut,
  };
}

/** The judges that the config of a kind names, with the first of a jury as the model. */
function namedJudges(kind: AnyKind, config: unknown): NamedJudges | null {
  const named = kind.judgesOf?.(config) ?? null;
  if (named === null || named.model !== null) return named;
  const [model = null, ...jury] = named.jury;
  return { ...named, model, jury };
}

/** Reads each key once; failures are not cached. */
type Memory = <T>(key: string, read: () => Promise<T>) => Promise<T>;

function createMemory(): Memory {
  const reads = new Map<string, Promise<unknown>>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const known = reads.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const settings = read();
    reads.set(key, settings);
    settings.catch(() => reads.delete(key));
    return settings;
  };
}
