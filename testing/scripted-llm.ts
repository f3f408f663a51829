/** The scripted provider for tests, implemented in `scripted-llm/server.mjs`. */
import type { Fault as AnyFault } from './scripted-llm/faults.mjs';
import type {
  ScriptedCall as AnyCall,
  ScriptedLlm as AnyLlm,
  ScriptedReply as AnyReply,
} from './scripted-llm/server.mjs';

export {
  echoJudge,
  flipJudge,
  obeyJudge,
  outsideFences,
  textOf,
} from './scripted-llm/judge-sim.mjs';
export { startScriptedLlm } from './scripted-llm/server.mjs';

export type ScriptedFault = AnyFault;
export type ScriptedReply = AnyReply;
export type ScriptedCall = AnyCall;
export type ScriptedLlm = AnyLlm;
