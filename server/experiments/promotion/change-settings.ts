import type { ProjectCtx } from '../../access';
import { checkJudgeFamilies, checkSpecProviders } from '../../llm';
import { conflict, type Database } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import { lockVersions } from '../../catalog';
import { getIntegrityState, type IntegrityState, updateSettingsIn } from '../../verdicts';
import type { ProjectSettings } from '../../verdicts/input';
import { readJudgeList, judgeListText } from '../trials/judge-list';
import { decidePromotion, readWord, promotionRefusal } from './decide-promotion';
import type { GateWord } from './promotion-input';
import {
  endPromotion,
  findCurrent,
  currentJudges,
  type StoredPromotion,
  storePromotion,
} from './promotion-rows';
import { type Gate, readPromotionSettings, readJudgeGate } from './read-gate';

/**
 * The settings after a change, and the result of promoting another judge; null if the judges did
 * not change.
 */
export interface SettingsChanged extends IntegrityState {
  readonly promotion: StoredPromotion | null;
}

const attempts = 3;

/**
 * Changes settings. Another default judge or jury goes through the promotion gate; while that waits
 * for approval, the other settings already apply.
 * @throws AssayError refused (a judge of an unknown provider; a jury member of an unknown family; a
 * judge that the gate refuses, with its numbers, in which case nothing is changed; forced without a
 * reason), forbidden (forced by a key without the scope `promote`), conflict
 */
export async function changeSettings(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  input: ProjectSettings & GateWord,
): Promise<SettingsChanged> {
  const { force, reason, ...settings } = input;
  const word = readWord(ctx, { force, reason });
  const { defaultJudge, jury = [] } = settings;
  const members = jury.map((judge, n) => [`jury[${n}]`, judge] as const);
  await checkSpecProviders(ctx, [
    ...(typeof defaultJudge === 'string' ? [['default_judge', defaultJudge] as const] : []),
    ...members,
  ]);
  checkJudgeFamilies(members);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { judges: before } = await readPromotionSettings(ctx);
    const after = judgesAfter(before, settings);
    const gate = after === before ? null : await readJudgeGate(ctx, defaults, after);
    const end = await ctx.db.transaction((tx) =>
      changeIn(ctx, tx, { settings, before, after, gate, ...word }),
    );
    if (end === 'moved') continue;
    if (gate !== null && end?.state === 'refused')
      throw promotionRefusal(
        after === '' ? 'judging without a default judge' : after,
        gate.mode,
        gate.findings,
      );
    return { ...(await getIntegrityState(ctx)), promotion: end };
  }
  throw conflict('the settings changed during the check of the gate; try again');
}

export function judgesAfter(
  before: string,
  { defaultJudge, jury }: Pick<ProjectSettings, 'defaultJudge' | 'jury'>,
): string {
  const now = readJudgeList(before);
  return judgeListText({
    defaultJudge: defaultJudge === undefined ? now.defaultJudge : defaultJudge,
    jury: jury ?? now.jury,
  });
}

interface RequestedChange {
  readonly settings: ProjectSettings;
  readonly before: string;
  readonly after: string;
  /** Null if the judges do not change. */
  readonly gate: Gate | null;
  readonly isForced: boolean;
  readonly reason: string | null;
}

async function changeIn(
  ctx: ProjectCtx,
  tx: Database,
  requested: RequestedChange,
): Promise<StoredPromotion | 'moved' | null> {
  const { settings, before, after, gate, isForced, reason } = requested;
  await lockVersions(ctx, tx);
  if ((await currentJudges(ctx, tx)) !== before) return 'moved';
  if (gate === null) {
    await updateSettingsIn(ctx, tx, settings);
    return null;
  }
  const current = await findCurrent(ctx, tx, { slug: '', running: before });
  if (current?.before === after) {
    await updateSettingsIn(ctx, tx, settings);
    return endPromotion(ctx, tx, current, { state: 'rolled_back' });
  }
  const state = decidePromotion(gate.mode, gate.findings.verdict, isForced);
  if (state === 'promoted' || state === 'forced') await updateSettingsIn(ctx, tx, settings);
  if (state === 'waiting')
    await updateSettingsIn(ctx, tx, { ...settings, defaultJudge: undefined, jury: undefined });
  return storePromotion(ctx, tx, { slug: '', before, after, state, gate, reason });
}
