import { z } from 'zod';
import { canonicalValue, type Mapping, storableJson, type SubjectTarget } from '../../domain';
import { sha256 } from '../../platform';
import type { ClaimedWork } from '../../queue';
import type { Rule } from '../../rules';
import {
  type AnyKind,
  applyMapping,
  type CompiledMapping,
  compileMapping,
  CustomDefinition,
  type ReadingSettings,
  readSubject,
} from '../../verifiers';
import { storedKindOf } from '../../catalog';
import { WorkFacts } from '../input';
import type { StoredMaterial } from './load-materials';
import type { ReadSubject } from './store-read';

/** Stored data, and the verifier that reads a subject from it. */
export interface ReadBy {
  /** The verifier's slug. */
  readonly verifier: string;
  readonly kind: AnyKind;
  /** The config of the verifier's current version. */
  readonly config: unknown;
  /** The rule whose mapping applies; null if none sent the work, or it was deleted since. */
  readonly rule: Rule | null;
  readonly material: StoredMaterial;
}

export type ReadRule = Omit<ReadBy, 'verifier'> & { readonly work: ClaimedWork };

/** The members of a kind's config that affect how subjects are read. */
const Settings = z.object({ criteria: z.array(z.string()).default([]) });
/** A custom verifier reads by its mapping; entries of the rule override its entries. */
function settingsOf(
  kind: AnyKind,
  config: unknown,
  rule: Rule | null,
  { subject }: StoredMaterial,
): ReadingSettings {
  if (kind.custom === undefined) return Settings.catch({ criteria: [] }).parse(config);
  const mapping = { ...CustomDefinition.parse(config).mapping, ...rule?.mapping };
  return { mapping: compiled(mapping, subject.target, kind.name) };
}

function compiled(mapping: Mapping, target: SubjectTarget, of: string): CompiledMapping {
  const read = compileMapping(mapping, [target]);
  if ('problems' in read) throw new Error(`the mapping of ${of} cannot be used`);
  return read.mapping;
}

type Found<Subject> =
  | { readonly state: 'read'; readonly subject: Subject }
  | { readonly state: 'no_subject'; readonly reason: string };

/** A subject, or why the stored data contains none for this verifier. */
export type SubjectRead = Found<ReadSubject>;

/** Reads the subject of claimed work. Pure. @throws Error as `readFromMaterial` */
export function readRuleSubject({ work, ...by }: ReadRule): SubjectRead {
  const read = readFromMaterial({ ...by, verifier: work.verifier });
  return read.state === 'read' ? { ...read, subject: { ...read.subject, work } } : read;
}

/**
 * Reads a subject of the kind by the kind's default extraction; the rule's mapping replaces
 * members. Pure. @throws Error if a mapping exceeds its limit, or yields a subject that the kind
 * rejects
 */
export function readFromMaterial({
  verifier,
  kind,
  config,
  rule,
  material,
}: ReadBy): Found<Omit<ReadSubject, 'work'>> {
  const { subject: arrived } = material;
  const mapped = kind.custom === undefined ? mappedMembers(rule, material) : noMembers;
  if ('reason' in mapped) return { state: 'no_subject', reason: mapped.reason };
  const read = readSubject(kind, {
    ...material,
    settings: settingsOf(kind, config, rule, material),
  });
  const own = 'subject' in read ? (read.subject as object) : {};
  if ('reason' in read && mapped.values.size === 0)
    return { state: 'no_subject', reason: `${read.reason}: ${read.message}` };
  const parsed = kind.subject.safeParse({ ...own, ...Object.fromEntries(mapped.values) });
  if (!parsed.success && 'reason' in read)
    return { state: 'no_subject', reason: `${read.reason}: ${read.message}` };
  if (!parsed.success) throw parsed.error;
  const subject = parsed.data;
  const facts = WorkFacts.parse({ executor_model: arrived.model, metadata: arrived.metadata });
  const content = storableJson({ subject, facts });
  return {
    state: 'read',
    subject: {
      kind: storedKindOf({ slug: verifier, kind }),
      content,
      contentHash: sha256(`${canonicalValue(JSON.parse(content))}\n${verifier}`),
      turnId: arrived.target === 'turn' ? arrived.id : null,
      traceId: arrived.trace_id,
      sessionId: arrived.session_id,
      missionId: arrived.mission_id,
      model: kind.modelOf?.(subject) ?? arrived.model,
      costUsd: arrived.cost_usd,
      pipeline: kind.pipelineOf?.(subject) ?? null,
    },
  };
}

const noMembers = { values: new Map<string, unknown>() } as const;

function mappedMembers(
  rule: Rule | null,
  { subject }: StoredMaterial,
): { readonly values: ReadonlyMap<string, unknown> } | { readonly reason: string } {
  if (rule?.mapping == null) return { values: new Map() };
  const found = applyMapping(
    compiled(rule.mapping, subject.target, `the rule "${rule.name}"`),
    subject,
  );
  if ('missing' in found)
    return { reason: `the subject has no value for the variable "${found.missing}"` };
  if ('failed' in found)
    throw new Error(`the mapping of "${found.failed}" failed: ${found.reason}`);
  return { values: found.values };
}
