import type { Contract, ModelTier } from '../../domain';
import { extractContract, readTier, tierLimits } from '../../code';
import { thresholdOf } from '../asking';
import type { RunSetting } from '../kind';
import { type CodeSubject, modelOf, type WireContract } from './subject';

const extracted = new WeakMap<CodeSubject, Contract>();

/** The required deliverables: from the caller's contract, else from the words of the request. */
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
 * Why the work is not scored; null if it is. A contract, tests, or an explicit request for scoring
 * override the words of the request (QEL-1).
 */
export function whySkipped(subject: CodeSubject): string | null {
  if (subject.partial) return stillWritten;
  if (subject.force || subject.contract != null || subject.run_tests != null) return null;
  const { active, reason } = contractOf(subject);
  return active ? null : (reason ?? 'the request creates nothing');
}

/** Derived from the name of the model that wrote the code (QEL-23). */
export function tierOf(subject: CodeSubject): {
  readonly tier: ModelTier;
  readonly assumed: boolean;
} {
  return readTier(modelOf(subject));
}

/**
 * The pass mark in points: the tier's default, or the value of the project or the call (QEL-26).
 */
export function passThresholdOf(subject: CodeSubject, setting: RunSetting<unknown>): number {
  const { tier } = tierOf(subject);
  return thresholdOf(setting, tier, tierLimits[tier].passThreshold);
}
