import { z } from 'zod';
import { Mapping, SubjectTarget, subjectTargets } from '../../domain';

/** Limits of a verifier that a project defines, in addition to those of every body. */
export const customLimits = { nameChars: 200, descriptionChars: 2_000 } as const;

const rate = z.number().min(0).max(1);

/** The default thresholds of the verifier; values that people tune replace them. */
export const CustomThresholds = z.strictObject({
  /** A value from here up passes. */
  pass_threshold: rate.default(0.5),
  /** A verdict of less confidence goes to a person. */
  confidence_threshold: rate.default(0.5),
});
export type CustomThresholds = z.infer<typeof CustomThresholds>;

/** The members that definitions of all three kinds share (online.md 3); stored as its config. */
export const customMembers = {
  name: z.string().trim().min(1).max(customLimits.nameChars),
  description: z.string().trim().max(customLimits.descriptionChars).default(''),
  /** The targets that rules may send to it. */
  targets: z
    .array(SubjectTarget)
    .min(1)
    .default([...subjectTargets]),
  /** Variables of the prompt, the checks or the function; a rule's mapping overrides them. */
  mapping: Mapping.default({}),
  thresholds: CustomThresholds.default({ pass_threshold: 0.5, confidence_threshold: 0.5 }),
};

/** The members of a definition that the engine reads, common to all kinds. */
export const CustomDefinition = z.object(customMembers);
export type CustomDefinition = z.infer<typeof CustomDefinition>;
