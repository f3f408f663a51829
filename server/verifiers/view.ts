/** What a browser may know of the kinds. One entry a kind. */
import { deriveOutcome, type SubjectTarget } from '../domain';
import { agentOutputView } from './agent-output/view';
import { codeView } from './code/view';
import { consistencyView } from './consistency/view';
import { decompositionView } from './decomposition/view';
import { integrityView } from './integrity/view';
import { missionView } from './mission/view';
import { synthesisView } from './synthesis/view';
import { taskView } from './task/view';
import { turnView } from './turn/view';
import type { KindView } from './kind-view';

export type { KindView } from './kind-view';

export const kindViews: ReadonlyMap<string, KindView> = new Map(
  [
    integrityView,
    taskView,
    codeView,
    consistencyView,
    missionView,
    decompositionView,
    agentOutputView,
    synthesisView,
    turnView,
  ].map((view) => [view.name, view]),
);

/** What rules may send to a kind; nothing for a kind that is not known. */
export const targetsOf = (kind: string): readonly SubjectTarget[] =>
  kindViews.get(kind)?.targets ?? [];

/** What a person may rule on a verdict of the kind; nothing for a kind that is not known. */
export const listNativeVerdicts = (kind: string): readonly string[] =>
  kindViews.get(kind)?.verdicts ?? [];

const sides: ReadonlyMap<string, string> = new Map([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
]);

/**
 * A verdict as people and callers write it, in the kind's own words: `pass` of integrity is
 * `sourced`. Null where it is none of them.
 */
export function readNativeVerdict(kind: string, word: string): string | null {
  const own = listNativeVerdicts(kind);
  if (own.includes(word)) return word;
  const wanted = word.trim().toLowerCase();
  const side = sides.get(wanted);
  return (
    own.find((each) => each.toLowerCase() === wanted) ??
    own.findLast((each) => deriveOutcome(each) === side) ??
    null
  );
}
