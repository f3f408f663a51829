import type { Score } from '../../domain';
import { type EvaluatorContext, measuredBy } from '../../evaluators';
import {
  gateLanguages,
  longestMs,
  maxPoints,
  measureFiles,
  readCode,
  staticPoints,
  tierLimits,
} from '../../code';
import type { NodeResult, PlanNode } from '../plan-node';
import type { RunSetting } from '../kind';
import type { CodeConfig } from './config';
import { contractOf, tierOf, whySkipped } from './contract';
import { PROOF, type ProofDetail, READ, type ReadDetail } from './nodes';
import { semanticNodes } from './semantic-node';
import type { CodeSubject } from './subject';

const READ_TIMEOUT_MS = 30_000;
/** Cost of proof gates: more than reading nodes, less than judges. */
const GATE_COST = 10;
/** Overhead of the sandbox, in addition to the deadlines of its commands. */
const GATE_SLACK_MS = 30_000;

/**
 * For work still being written, runs only the gates (QEL-33). Otherwise reads and measures the
 * files; then runs the gates, if there is something to run; then calls a judge, if requested
 * (QEL-13 to QEL-20, QEL-49).
 */
export function planCode(
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
): readonly PlanNode[] {
  const compiles = gateLanguages(subject.files.map(({ path }) => path)).length > 0;
  if (subject.partial) return compiles ? [proofNode(subject)] : [];
  if (whySkipped(subject) !== null) return [];
  const hasGates = subject.run_tests != null || compiles;
  return [
    readNode(subject, setting),
    ...dimensionNodes(),
    ...(hasGates ? [proofNode(subject)] : []),
    ...semanticNodes(subject, setting, hasGates ? [READ, PROOF] : [READ]),
  ];
}

const free = { mustPass: false, weight: 1, cost: 0, timeoutMs: READ_TIMEOUT_MS } as const;

function readNode(subject: CodeSubject, { config }: RunSetting<CodeConfig>): PlanNode {
  const title = 'Functions and classes are written, not stubs';
  const evaluator = 'code.structure@1';
  return {
    ...free,
    name: READ,
    title,
    evaluator,
    needs: [],
    run: async () => {
      const files = await readCode(subject.files);
      const measured = measureFiles(contractOf(subject), files, {
        code: config.code_bytes,
        data: config.data_bytes,
      });
      const { multiplier, real, stubs } = measured.structure;
      const reasoning =
        real + stubs.length === 0
          ? 'there are none'
          : `${real} of ${real + stubs.length} are written`;
      const detail: ReadDetail = { files, measured };
      return { score: scored(evaluator, title, multiplier, reasoning), detail };
    },
  };
}

const titles = {
  files: 'The required files are there',
  patterns: 'The files contain what was requested',
  framework: 'The requested framework is used',
  complete: 'The files are filled in',
} as const;

function dimensionNodes(): readonly PlanNode[] {
  return (['files', 'patterns', 'framework', 'complete'] as const).map((name): PlanNode => {
    const evaluator = `code.${name}@1`;
    return {
      ...free,
      name,
      title: titles[name],
      evaluator,
      needs: [READ],
      weight: maxPoints[name],
      run: (details): NodeResult => {
        const { measured } = details.get(READ) as ReadDetail;
        const points = staticPoints(measured)[name];
        const reasoning = `${Math.round(points * 100) / 100} of ${maxPoints[name]} points`;
        return {
          score: scored(evaluator, titles[name], points / maxPoints[name], reasoning),
          detail: null,
        };
      },
    };
  });
}

function proofNode(subject: CodeSubject): PlanNode {
  const evaluator = 'code.gates@1';
  const title = 'The code compiles, and its tests pass';
  const { tier } = tierOf(subject);
  const { compileTimeoutMs, testTimeoutMs } = tierLimits[tier];
  const languages = gateLanguages(subject.files.map(({ path }) => path)).length;
  return {
    ...free,
    name: PROOF,
    title,
    evaluator,
    needs: [],
    weight: maxPoints.proof,
    cost: GATE_COST,
    // Go takes two commands, and passing tests run a second time within the same limit.
    timeoutMs: longestMs(2 * languages * compileTimeoutMs + 2 * testTimeoutMs) + GATE_SLACK_MS,
    run: async (_details, ctx) => prove(subject, ctx, evaluator, title),
  };
}

async function prove(
  subject: CodeSubject,
  ctx: EvaluatorContext,
  evaluator: string,
  title: string,
): Promise<NodeResult> {
  const unscored = (reasoning: string): Score => ({
    ...measuredBy(evaluator, title),
    state: 'unscored',
    value: null,
    met: null,
    reasoning,
  });
  if (ctx.gates === undefined) {
    const detail: ProofDetail = { gates: [], notRun: 'Gates cannot be run here.' };
    return { score: unscored('not run: gates cannot be run here'), detail };
  }
  const { tier } = tierOf(subject);
  const gates = await ctx.gates(
    { files: subject.files, tier, runTests: subject.run_tests ?? null, micro: subject.partial },
    ctx.signal,
  );
  const conclusive = gates.filter(
    ({ status }) => status === 'passed' || status === 'failed' || status === 'timeout',
  );
  const detail: ProofDetail = {
    gates,
    notRun: gates.find(({ status }) => status === 'not_run')?.reason ?? null,
  };
  if (conclusive.length === 0)
    return { score: unscored(gates[0]?.reason ?? 'no gate gave a result'), detail };
  const passed = conclusive.filter(({ status }) => status === 'passed').length;
  return {
    score: scored(
      evaluator,
      title,
      passed / conclusive.length,
      `${passed} of ${conclusive.length} gates passed`,
    ),
    detail,
  };
}

function scored(evaluator: string, title: string, value: number, reasoning: string): Score {
  return { ...measuredBy(evaluator, title), state: 'scored', value, met: value >= 1, reasoning };
}
