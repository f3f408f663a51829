import { agentOutput } from './agent-output';
import { checksKind } from './checks';
import { code } from './code';
import { consistency } from './consistency';
import { decomposition } from './decomposition';
import { functionKind } from './function';
import { integrity } from './integrity';
import { judgeKind } from './judge';
import { mission } from './mission';
import { synthesis } from './synthesis';
import { task } from './task';
import { turn } from './turn';

/**
 * Every verifier kind. To add one, add a folder and an entry here; an entry in view.ts makes it
 * available to the browser.
 */
export const allKinds = [
  integrity,
  task,
  code,
  consistency,
  mission,
  decomposition,
  agentOutput,
  synthesis,
  turn,
  checksKind,
  judgeKind,
  functionKind,
] as const;
