import type { Setup } from '@/app/_trpc/outputs';

export type SetupStep = keyof Setup['steps'];

export interface StepText {
  readonly title: string;
  /** The reason, in one sentence; for an optional step also what works without it. */
  readonly reason: string;
  readonly optional?: true;
  /** The role that can do it, shown to users without the permission. */
  readonly needs: string;
}

/**
 * The text of each step of the first hour: a total map, so that no step of the server lacks one.
 */
export const stepText: Record<SetupStep, StepText> = {
  key: {
    title: 'Create a key',
    reason: 'Clients authenticate with this key.',
    needs: 'keys.write',
  },
  trace: {
    title: 'Send a first trace',
    reason: 'A verdict uses only the input, the sources and the answer.',
    needs: 'project.read',
  },
  verdict: {
    title: 'Get its verdict',
    reason: 'It marks each figure in the answer and links to its place in the source.',
    needs: 'verdicts.read',
  },
  ruling: {
    title: 'Overrule or grade one',
    reason: 'Only human rulings and reported outcomes measure how often a verifier is right.',
    needs: 'labels.write',
  },
  model: {
    title: 'Connect a model',
    reason:
      'Judges and the gateway’s verifier need it; figures, checks, compilers and traces do not.',
    optional: true,
    needs: 'settings.write',
  },
  threshold: {
    title: 'Move a threshold',
    reason: 'You set the pass threshold. A preview shows which verdicts would change.',
    needs: 'settings.write',
  },
  prompt: {
    title: 'Edit a prompt',
    reason:
      'Judge prompts are Markdown that you can edit. A saved version takes effect on promotion and can be rolled back.',
    needs: 'prompts.write',
  },
  gateway: {
    title: 'Send a call through the gateway',
    reason:
      'Check answers and retry with feedback before the client sees them; optional for traces.',
    optional: true,
    needs: 'project.read',
  },
  member: {
    title: 'Invite a member',
    reason:
      'Rulings of two people on the same verdicts measure human agreement; one person is enough to start.',
    optional: true,
    needs: 'members.write',
  },
};

/** In the order in which they are done. */
export const setupSteps = [
  'key',
  'trace',
  'verdict',
  'ruling',
  'model',
  'threshold',
  'prompt',
  'gateway',
  'member',
] as const satisfies readonly SetupStep[];

export interface SetupProgress {
  /** Counts of the required steps. */
  readonly done: number;
  readonly of: number;
  readonly optionalLeft: number;
  /** The first required step that is not done; null when all are. */
  readonly next: SetupStep | null;
}

export function progressOf(steps: Setup['steps']): SetupProgress {
  const required = setupSteps.filter((step) => stepText[step].optional !== true);
  return {
    done: required.filter((step) => steps[step]).length,
    of: required.length,
    optionalLeft: setupSteps.filter((step) => stepText[step].optional === true && !steps[step])
      .length,
    next: required.find((step) => !steps[step]) ?? null,
  };
}

/** The count at the head of the list. */
export function progressText({ done, of, optionalLeft }: SetupProgress): string {
  if (done < of) return `${done} of ${of} done`;
  return optionalLeft === 0
    ? 'All done'
    : `Done; ${optionalLeft} optional ${optionalLeft === 1 ? 'step' : 'steps'} left`;
}
