/** The browser's view of the kinds. One entry per kind. */
import { agentOutputView } from './agent-output/view';
import { checksView } from './checks/view';
import { codeView } from './code/view';
import { consistencyView } from './consistency/view';
import { decompositionView } from './decomposition/view';
import { functionView } from './function/view';
import { integrityView } from './integrity/view';
import { judgeView } from './judge/view';
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
    checksView,
    judgeView,
    functionView,
  ].map((view) => [view.name, view]),
);
