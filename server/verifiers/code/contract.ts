import type { Contract, ModelTier } from '../../domain';
import { extractContract, readTier, tierLimits } from '../../code';
import { thresholdOf } from '../asking';
import type { RunSetting } from '../kind';
import { type CodeSubject, modelOf, type WireContract } from './subject';

const extracted = new WeakMap<CodeSubject, Contract>();

/** What the work owes: by the contract that the caller sends, else by the words of the request. */
export function contractOf(subject: CodeSubject): Contract {
  const known = extracted.get(subject);
  if (known !== undefined) return known;
  const contract =
    subject.contract == null ? extractContract(subject.request) : fromWire(subject.contract);
  extracted.set(subject, contract);
  return contract;
}

function fromWire(wire: WireContract): Contract {
  const plain = [
    ...wire.hard_patterns.map((pattern) => ({ pattern, kind: 'hard' as const, path: null })),
    ...wire.soft_patterns.map((pattern) => ({ pattern, kind: 'soft' as const, path: null })),
  ];
  return {
    active: wire.active,
    reason: wire.reason ?? null,
    confidence: wire.confidence,
    deliverables: [...new Set(wire.deliverables)],
    framework: wire.framework ?? null,
    patterns: wire.patterns ?? plain,
    expectedElements: wire.expected_elements,
    gates: wire.gates,
  };
}

const stillWritten = 'the work is still being written: its gates ran, and nothing is scored';

/**
 * Why the work is not scored; null when it is. Who sends a contract or tests, or insists, has it
 * scored whatever the request says (QEL-1).
 */
export function whySkipped(subject: CodeSubject): string | null {
  if (subject.partial) return stillWritten;
  if (subject.force || subject.contract != null || subject.run_tests != null) return null;
  const { active, reason } = contractOf(subject);
  return active ? null : (reason ?? 'the request creates nothing');
}

/** By the name of the model that wrote the code (QEL-23). */
export function tierOf(subject: CodeSubject): {
  readonly tier: ModelTier;
  readonly assumed: boolean;
} {
  return readTier(modelOf(subject));
}

/**
 * Points from which on the work passes: the tier's, as the project or the call sets it (QEL-26).
 */
export function passThresholdOf(subject: CodeSubject, setting: RunSetting<unknown>): number {
  const { tier } = tierOf(subject);
  return thresholdOf(setting, tier, tierLimits[tier].passThreshold);
}
