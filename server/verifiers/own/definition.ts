import { z } from 'zod';
import { Mapping, SubjectTarget, subjectTargets } from '../../domain';

/** Limits of a verifier that a project defines, in addition to those of every body. */
export const ownLimits = { nameChars: 200, descriptionChars: 2_000 } as const;

const rate = z.number().min(0).max(1);

/** The default thresholds of the verifier; values that people tune replace them. */
export const OwnThresholds = z.strictObject({
  /** A value from here up passes. */
  pass_threshold: rate.default(0.5),
  /** A verdict of less confidence goes to a person. */
  confidence_threshold: rate.default(0.5),
});
export type OwnThresholds = z.infer<typeof OwnThresholds>;

/** The members that definitions of all three kinds share (online.md 3); stored as its config. */
export const ownMembers = {
  name: z.string().trim().min(1).max(ownLimits.nameChars),
  description: z.string().trim().max(ownLimits.descriptionChars).default(''),
  /** The targets that rules may send to it. */
  targets: z
    .array(SubjectTarget)
    .min(1)
    .default([...subjectTargets]),
  /** Variables of the prompt, the checks or the function; a rule's mapping overrides them. */
  mapping: Mapping.default({}),
  thresholds: OwnThresholds.default({ pass_threshold: 0.5, confidence_threshold: 0.5 }),
};

/** The members of a definition that the engine reads, common to all kinds. */
export const OwnDefinition = z.object(ownMembers);
export type OwnDefinition = z.infer<typeof OwnDefinition>;
