import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { SubjectTarget } from '../../domain';
import { DefineVerifierIn } from '../../verdicts/input';

/** Subjects of a test run: the newest of a target, or the newest labelled ones of the verifier. */
export const DraftSubjects = z.enum([...SubjectTarget.options, 'labelled']);
export type DraftSubjects = z.infer<typeof DraftSubjects>;

/** Maximum number of subjects of a test run. */
export const draftTryLimits = { newest: 20, labelled: 100 } as const;

export const StartDraftTryIn = DefineVerifierIn.extend({ subjects: DraftSubjects });
export const DraftTryIn = ProjectRef.extend({ id: z.string().min(1).max(300) });
